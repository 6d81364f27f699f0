import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { confirmAs } from '../../../test/harness/callers/second-person.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { useWorker } from '../../../test/harness/installation/running-installation.ts'
import { createBookingWorld } from '../../../test/harness/money/booking-world.ts'
import { camt053 } from '../../../test/harness/money/camt053.ts'

describe('statements of a tenant that has set only a threshold', async () => {
  const running = await useWorker()
  const { installation, operatorApi } = running

  test('of a service user are not booked by the people who were shown its token', async () => {
    const { tenant, second, upload, read, orderStatus, isPaid, payment } = await createBookingWorld(running)
    const [creator, shown] = [
      await installation.createOperator(tenant.id),
      await installation.createOperator(tenant.id),
    ]
    const service = { duties: ['money', 'read'], createdBy: creator.userId } as const
    const fetcher = await installation.createServiceUser(tenant.id, service)
    const text = 'update directory.personal_token set shown_to = $1 where user_id = $2'
    await installation.rows(text, [shown.userId, fetcher.userId])
    const { id, waits_for_booking: waits } = await upload(camt053({ entries: [payment()] }), fetcher)
    assert.equal(waits, true)
    const proposal = await operatorApi.call('POST', `/statements/${id}/book`, { token: fetcher.token })
    assert.equal(proposal.status, 202)
    for (const holder of [shown, creator])
      assertError(await confirmAs(operatorApi, holder, proposal), 403, 'second_person_required')
    assert.deepEqual([await orderStatus(), (await read(id)).waits_for_booking], ['ORDERED', true])
    assert.equal((await confirmAs(operatorApi, second, proposal)).status, 200)
    await isPaid()
  })

  test('with credits and debits below the amount need a second person if their sum is not', async () => {
    const { clerk, upload, book, bookFrom } = await createBookingWorld(running)
    await bookFrom(12_500)
    const entries = [
      { amount: '100.00', bankReference: 'B1' },
      { amount: '25.00', isDebit: true, bankReference: 'B2' },
    ]
    const { id } = await upload(camt053({ entries }))
    const proposal = await book(id)
    assert.equal(proposal.status, 202)
    const { amount, currency } = (await clerk.get(`/approvals/${proposal.body.approval_id}`)).body
    assert.deepEqual([amount, currency], ['12500', 'EUR'])
  })

  test('that settle or return a transfer, or take a payment back, need a second person at any amount', async () => {
    const { upload, book, bookFrom } = await createBookingWorld(running)
    await bookFrom(99_999_999)
    const endToEndId = crypto.randomUUID().replaceAll('-', '')
    const entries = {
      settled: { isDebit: true, endToEndId },
      returned: { endToEndId, returnCode: 'AC04' },
      'returned without its id': { returnCode: 'AC04' },
      reversed: { isDebit: true, isReversal: true },
      fee: { isDebit: true },
    }
    for (const [name, entry] of Object.entries(entries)) {
      const { id } = await upload(camt053({ id: name, entries: [{ amount: '0.01', bankReference: name, ...entry }] }))
      assert.equal((await book(id)).status, name === 'fee' ? 200 : 202, name)
    }
  })

  test('that were imported before an entry said whether it concerns a transfer need a second person', async () => {
    const { upload, book, bookFrom } = await createBookingWorld(running)
    await bookFrom(99_999_999)
    const { id } = await upload(camt053({ entries: [{ amount: '1.00' }] }))
    await installation.rows('update cell.bank_entry set concerns_transfer = null where statement_id = $1', [id])
    assert.equal((await book(id)).status, 202)
  })
})
