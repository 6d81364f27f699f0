import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { OperatorClient } from '../../../test/harness/callers/operator-client.ts'
import { confirmAs } from '../../../test/harness/callers/second-person.ts'
import { recordedChanges } from '../../../test/harness/data/recorded.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { type ApiResponse, assertError } from '../../../test/harness/installation/api-client.ts'
import type { RunningApi } from '../../../test/harness/installation/running-api.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import type { TestOperator } from '../../../test/harness/installation/test-users.ts'
import { type CamtStatement, camt053 } from '../../../test/harness/money/camt053.ts'
import { until } from '../../../test/harness/wait.ts'
import { sql } from '../../platform/postgres/sql.ts'

describe('statements that a person imports', () => {
  let installation: TestInstallation
  let api: RunningApi
  let operatorApi: RunningApi
  let tenant: TestTenant
  let clerk: OperatorClient
  let second: TestOperator
  let bankChannel: { token: string }
  let order: { id: string; reference: string }

  before(async () => {
    installation = await TestInstallation.create()
    ;[api, operatorApi] = await Promise.all([
      installation.startApi(),
      installation.startOperatorApi(),
      installation.startWorker(),
    ])
  })
  after(() => installation.end())
  beforeEach(async () => {
    tenant = await TestTenant.create(installation, api)
    clerk = await OperatorClient.create(installation, operatorApi, tenant.id, 'operator')
    second = await installation.createOperator(tenant.id, { role: 'admin' })
    bankChannel = await installation.createServiceUser(tenant.id, { duties: ['money', 'read'] })
    const id = await tenant.order(await tenant.fixtures.offering(tenant.id), await tenant.account())
    order = { id, reference: (await clerk.get(`/orders/${id}`)).body.payment_reference }
    await installation.useDefaultPolicies(tenant.id)
  })

  const upload = async (xml: string, { token }: { token: string } = clerk.who) => {
    const response = await operatorApi.call('POST', '/statements', {
      token,
      body: xml,
      headers: { 'content-type': 'application/xml' },
    })
    assert.equal(response.status, 201, response.text)
    return response.body.statements[0]
  }
  /** Uploads a file as the bank channel, and has two persons book it if it waits for that. */
  const uploadBooked = async (xml: string) => {
    const uploaded = await upload(xml, bankChannel)
    return uploaded.waits_for_booking ? bookTogether(uploaded.id) : uploaded
  }
  const payment = (change: object = {}) => ({
    amount: '125.00',
    creditorReference: order.reference,
    bankReference: 'B1',
    ...change,
  })
  const book = (id: string): Promise<ApiResponse> => clerk.post(`/statements/${id}/book`)
  const bookTogether = async (id: string) => {
    const confirmed = await confirmAs(operatorApi, second, await book(id))
    assert.equal(confirmed.status, 200, confirmed.text)
    return confirmed.body.result
  }
  const read = async (id: string) => (await clerk.get(`/statements/${id}`)).body
  const orderStatus = async () => (await clerk.get(`/orders/${order.id}`)).body.status
  const isPaid = () => until('the order is paid', async () => (await orderStatus()) === 'PAID')
  const setThreshold = (fromMinor: string | null) =>
    installation.rows(
      `insert into directory.approval_policy (tenant_id, policy, from_minor) values ($1, 'statement_booking', $2)`,
      [tenant.id, fromMinor],
    )

  test('book nothing until a second person confirms; the audit log names both', async () => {
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
      (await clerk.get(`/statements?waits_for_booking=${isWaiting}`)).body.results.map((one: { id: string }) => one.id)
    assert.deepEqual([await listed(true), await listed(false)], [[id], [other.id]])

    const proposal = await book(id)
    assert.deepEqual([proposal.status, proposal.body.confirm_duty], [202, 'release'])
    const approval = (await clerk.get(`/approvals/${proposal.body.approval_id}`)).body
    assert.deepEqual([approval.amount, approval.currency, approval.subject_id], ['13250', 'EUR', id])
    const alone = await operatorApi.call('POST', `/approvals/${approval.id}/confirm`, { cookie: clerk.who.cookie })
    assertError(alone, 403, 'insufficient_duty')
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
    await setThreshold(null)
    const { waits_for_booking: waits } = await upload(camt053({ entries: [payment()] }))
    assert.equal(waits, false)
    await isPaid()
  })

  test('need no second person below the amount that the tenant has set', async () => {
    await setThreshold('12501')
    const { id } = await upload(camt053({ entries: [payment()] }))
    assert.equal((await book(id)).body.waits_for_booking, false)
    await isPaid()
  })

  test('with a fraction of a minor unit can be booked, always by two persons', async () => {
    await setThreshold('99999999')
    const entries = [payment({ amount: '125.00' }), { amount: '0.005', bankReference: 'B2' }]
    const { id } = await upload(camt053({ entries, closing: '1125.005' }))
    const proposal = await book(id)
    assert.equal(proposal.status, 202, proposal.text)
    assert.equal((await confirmAs(operatorApi, second, proposal)).status, 200)
    await isPaid()
  })

  test('do not keep their entries out of a file that is imported later, and cannot be booked as proposed then', async () => {
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
    const send = async (xml: string) => {
      const response = await operatorApi.call('POST', '/statements', {
        token: clerk.who.token,
        body: xml,
        headers: { 'content-type': 'application/xml' },
      })
      assert.equal(response.status, 201, response.text)
      return response.body
    }
    const discard = async (id: string) => {
      const response = await clerk.post(`/statements/${id}/discard`, { reason: 'not from the bank' })
      assert.equal(response.status, 200, response.text)
    }
    const listedIds = async () =>
      (await clerk.get('/statements?limit=50')).body.results.map((one: { id: string }) => one.id)
    /** Sending the file changes nothing; the response counts each of its entries once. */
    const expectKnown = async (xml: string, entries: number) => {
      const earlier = await listedIds()
      const { is_new: isNew, entries_read: count, entries_new: added, duplicates } = await send(xml)
      assert.deepEqual([isNew, count, added, duplicates], [false, entries, 0, entries])
      assert.deepEqual(await listedIds(), earlier)
    }

    test('one of several statements of a file', async () => {
      const day = (number: number, opening: string): CamtStatement => ({
        id: `D${number}`,
        sequence: String(number),
        day: `2026-07-0${number}`,
        opening,
        entries: [number === 1 ? payment() : { amount: '20.00', bankReference: 'B2' }],
      })
      const xml = camt053({ statements: [day(1, '100.00'), day(2, '225.00')] })
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
      const other = await upload(camt053({ id: 'F', entries: [{ amount: '4.00', bankReference: 'B4' }] }))
      await discard(other.id)
      await expectKnown(xml, 1)
    })
  })

  test('make no gap before other statements; booking them compares the balances again', async () => {
    const day = (number: number, opening: string, amount: string): CamtStatement => ({
      id: `D${number}`,
      sequence: String(number),
      day: `2026-07-0${number}`,
      opening,
      entries: [{ amount, bankReference: `D${number}` }],
    })
    const importDay = (one: CamtStatement) => upload(camt053({ statements: [one] }))
    const importBooked = (one: CamtStatement) => uploadBooked(camt053({ statements: [one] }))
    const continuity = async ({ id }: { id: string }) => (await read(id)).continuity
    const first = await importBooked(day(1, '100.00', '10.00'))
    const [byHand, next] = [await importDay(day(2, '110.00', '20.00')), await importDay(day(3, '130.00', '5.00'))]
    const forged = await importDay(day(4, '900.00', '99.00'))
    assert.deepEqual(
      [first, byHand, next, forged].map((one) => one.continuity),
      ['first', 'ok', 'ok', 'gap'],
    )
    const last = await importBooked(day(5, '135.00', '1.00'))
    // The balance is compared with the last booked statement, that of the first day.
    assert.deepEqual([last.continuity, last.expected_opening_balance], ['gap', '110.00'])
    assert.equal((await bookTogether(next.id)).continuity, 'gap')
    assert.equal(await continuity(last), 'ok')
    assert.equal((await bookTogether(byHand.id)).continuity, 'ok')
    assert.deepEqual([await continuity(next), await continuity(last)], ['ok', 'ok'])
  })
})
