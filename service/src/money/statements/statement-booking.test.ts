import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { confirmAs } from '../../../test/harness/callers/second-person.ts'
import { recordedChanges } from '../../../test/harness/data/recorded.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { useWorker } from '../../../test/harness/installation/running-installation.ts'
import { createBookingWorld } from '../../../test/harness/money/booking-world.ts'
import { type CamtStatement, camt053 } from '../../../test/harness/money/camt053.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { until } from '../../../test/harness/wait.ts'
import { sql } from '../../platform/postgres/sql.ts'

describe('statements that a person imports', async () => {
  const running = await useWorker()
  const { installation, operatorApi } = running
  let world: Awaited<ReturnType<typeof createBookingWorld>>
  let bankChannel: { token: string }

  beforeEach(async () => {
    world = await createBookingWorld(running)
    bankChannel = await installation.createServiceUser(world.tenant.id, { duties: ['money', 'read'] })
  })

  /** Uploads a file as the bank channel, and has two persons book it if it waits for that. */
  const uploadBooked = async (xml: string) => {
    const uploaded = await world.upload(xml, bankChannel)
    return uploaded.waits_for_booking ? world.bookTogether(uploaded.id) : uploaded
  }
  /** A statement of one day in July, by default with one payment. */
  const ofDay = (day: number, opening: string, entry: { amount: string; bankReference?: string }): CamtStatement => ({
    id: `D${day}`,
    sequence: String(day),
    day: `2026-07-0${day}`,
    opening,
    entries: [{ bankReference: `D${day}`, ...entry }],
  })

  test('book nothing until a second person confirms; the audit log names both', async () => {
    const { clerk, second, upload, book, read, orderStatus, isPaid, payment } = world
    const {
      id,
      waits_for_booking: waits,
      pending,
    } = await upload(camt053({ entries: [payment(), { amount: '7.50' }] }))
    assert.deepEqual([waits, pending], [true, 2])
    // The worker has processed another statement, imported later, and has left this one alone.
    const other = await uploadBooked(camt053({ id: 'S2', entries: [{ amount: '1.00' }] }))
    await until('the other statement is processed', async () => (await read(other.id)).pending === 0)
    assert.deepEqual([await orderStatus(), (await read(id)).pending], ['ORDERED', 2])
    const listed = async (isWaiting: boolean) =>
      pluck((await clerk.get(`/statements?waits_for_booking=${isWaiting}`)).body.results, 'id')
    assert.deepEqual([await listed(true), await listed(false)], [[id], [other.id]])

    const proposal = await book(id)
    assert.deepEqual([proposal.status, proposal.body.confirm_duty], [202, 'release'])
    const approval = (await clerk.get(`/approvals/${proposal.body.approval_id}`)).body
    assert.deepEqual([approval.amount, approval.currency, approval.subject_id], ['13250', 'EUR', id])
    assertError(await confirmAs(operatorApi, clerk.who, proposal), 403, 'insufficient_duty')
    assert.deepEqual([await orderStatus(), (await read(id)).waits_for_booking], ['ORDERED', true])

    const confirmed = await confirmAs(operatorApi, second, proposal)
    assert.deepEqual([confirmed.status, confirmed.body.result.waits_for_booking], [200, false])
    await isPaid()
    const changes = await recordedChanges(installation, id)
    const booked = changes.find(({ action }) => action === 'statement.booked')
    const { credits, debits } = booked?.after ?? {}
    assert.deepEqual([booked?.actor_id, credits, debits], [clerk.who.userId, '132.50', '0.00'])
    assert.equal((await book(id)).status, 200)
    assertError(await book(crypto.randomUUID()), 404, 'not_found')
  })

  test('are booked at once if the tenant needs no second person', async () => {
    const { bookFrom, upload, isPaid, payment } = world
    await bookFrom(null)
    const { waits_for_booking: waits } = await upload(camt053({ entries: [payment()] }))
    assert.equal(waits, false)
    await isPaid()
  })

  test('need no second person below the amount that the tenant has set', async () => {
    const { bookFrom, upload, book, isPaid, payment } = world
    await bookFrom(12_501)
    const { id } = await upload(camt053({ entries: [payment()] }))
    assert.equal((await book(id)).body.waits_for_booking, false)
    await isPaid()
  })

  test('with a fraction of a minor unit can be booked, always by two persons', async () => {
    const { bookFrom, upload, bookTogether, isPaid, payment } = world
    await bookFrom(99_999_999)
    const entries = [payment({ amount: '125.00' }), { amount: '0.005', bankReference: 'B2' }]
    const { id } = await upload(camt053({ entries, closing: '1125.005' }))
    await bookTogether(id)
    await isPaid()
  })

  test('do not keep their entries out of a file that is imported later, and cannot be booked as proposed then', async () => {
    const { second, upload, book, read, isPaid, payment } = world
    const forged = await upload(
      camt053({ id: 'F', entries: [payment({ creditorReference: null }), { amount: '9.00', bankReference: 'B9' }] }),
    )
    const proposal = await book(forged.id)
    // The same entry as the bank reports it, recognized by the bank's reference.
    const genuine = await uploadBooked(camt053({ entries: [payment()] }))
    assert.deepEqual([genuine.entries, genuine.duplicates], [1, 0])
    await isPaid()
    const left = await read(forged.id)
    assert.deepEqual([left.entries, left.duplicates, left.waits_for_booking], [1, 1, true])
    assertError(await confirmAs(operatorApi, second, proposal), 409, 'subject_changed')
    // A statement whose entries are all taken over has nothing left to book.
    await upload(camt053({ id: 'S2', entries: [{ amount: '9.00', bankReference: 'B9' }, { amount: '10.00' }] }))
    assert.equal((await read(forged.id)).waits_for_booking, false)
  })

  test('leave the entries of booked statements to them', async () => {
    const { tenant, upload, read, isPaid, payment } = world
    const genuine = await uploadBooked(camt053({ entries: [payment()] }))
    await isPaid()
    const again = await upload(camt053({ id: 'F', entries: [payment(), { amount: '9.00', bankReference: 'B9' }] }))
    assert.deepEqual([again.entries, again.duplicates, again.waits_for_booking], [1, 1, true])
    assert.deepEqual([(await read(genuine.id)).entries, (await read(genuine.id)).booked], [1, 1])
    // The database does not let the service delete them either.
    const deleted = await new DirectOperations(installation, tenant.id).write((tx) =>
      tx.rows(sql`delete from cell.bank_entry where tenant_id = ${tenant.id} returning statement_id as id`),
    )
    assert.deepEqual(deleted, [{ id: again.id }])
  })

  describe('whose entries were discarded can be imported again, once', () => {
    const discard = async (id: string) => {
      const response = await world.clerk.post(`/statements/${id}/discard`, { reason: 'not from the bank' })
      assert.equal(response.status, 200, response.text)
    }
    const listedIds = async () => pluck((await world.clerk.get('/statements?limit=50')).body.results, 'id')
    /** Sending the file changes nothing; the response counts each of its entries once. */
    const expectKnown = async (xml: string, entries: number) => {
      const earlier = await listedIds()
      const { is_new: isNew, entries_read: count, entries_new: added, duplicates } = await world.send(xml)
      assert.deepEqual([isNew, count, added, duplicates], [false, entries, 0, entries])
      assert.deepEqual(await listedIds(), earlier)
    }

    test('one of several statements of a file', async () => {
      const { send, bookTogether, isPaid, payment } = world
      const second = { amount: '20.00', bankReference: 'B2' }
      const xml = camt053({ statements: [ofDay(1, '100.00', payment()), ofDay(2, '225.00', second)] })
      const [first, last] = (await send(xml)).statements
      await expectKnown(xml, 2)
      await discard(first.id)
      const again = await send(xml)
      assert.deepEqual([again.is_new, again.entries_new, again.duplicates], [true, 1, 1])
      await expectKnown(xml, 2)
      // A statement that was not discarded before can be discarded later.
      await discard(last.id)
      assert.deepEqual((await send(xml)).entries_new, 1)
      await expectKnown(xml, 2)
      await bookTogether(again.statements[0].id)
      await isPaid()
    })

    test('entries that a file took over before it was discarded', async () => {
      const { send, upload, read, bookTogether, isPaid, payment } = world
      const xml = camt053({ id: 'S1', entries: [payment(), { amount: '9.00', bankReference: 'B9' }] })
      const [genuine] = (await send(xml)).statements
      const forged = await upload(camt053({ id: 'F', entries: [payment({ creditorReference: null })] }))
      assert.deepEqual([(await read(genuine.id)).entries, (await read(genuine.id)).duplicates], [1, 1])
      await expectKnown(xml, 2)
      await discard(forged.id)
      const again = await send(xml)
      assert.deepEqual([again.is_new, again.entries_new, again.duplicates], [true, 1, 1])
      await expectKnown(xml, 2)
      await bookTogether(again.statements[0].id)
      await isPaid()
    })

    test('but not a file without duplicates: it lost no entries to the discarded statement', async () => {
      const xml = camt053({ entries: [{ amount: '3.00', bankReference: 'B3' }] })
      await uploadBooked(xml)
      const other = await world.upload(camt053({ id: 'F', entries: [{ amount: '4.00', bankReference: 'B4' }] }))
      await discard(other.id)
      await expectKnown(xml, 1)
    })
  })

  test('make no gap before other statements; booking them compares the balances again', async () => {
    const { upload, read, bookTogether } = world
    const importDay = (...day: Parameters<typeof ofDay>) => upload(camt053({ statements: [ofDay(...day)] }))
    const importBooked = (...day: Parameters<typeof ofDay>) => uploadBooked(camt053({ statements: [ofDay(...day)] }))
    const continuity = async ({ id }: { id: string }) => (await read(id)).continuity
    const first = await importBooked(1, '100.00', { amount: '10.00' })
    const [byHand, next] = [
      await importDay(2, '110.00', { amount: '20.00' }),
      await importDay(3, '130.00', { amount: '5.00' }),
    ]
    const forged = await importDay(4, '900.00', { amount: '99.00' })
    assert.deepEqual(pluck([first, byHand, next, forged], 'continuity'), ['first', 'ok', 'ok', 'gap'])
    const last = await importBooked(5, '135.00', { amount: '1.00' })
    // The balance is compared with the last booked statement, which is the first day's.
    assert.deepEqual([last.continuity, last.expected_opening_balance], ['gap', '110.00'])
    assert.equal((await bookTogether(next.id)).continuity, 'gap')
    assert.equal(await continuity(last), 'ok')
    assert.equal((await bookTogether(byHand.id)).continuity, 'ok')
    assert.deepEqual([await continuity(next), await continuity(last)], ['ok', 'ok'])
  })
})
