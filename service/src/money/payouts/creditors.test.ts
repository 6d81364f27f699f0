import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OperatorClient } from '../../../test/harness/callers/operator-client.ts'
import { confirmAs } from '../../../test/harness/callers/second-person.ts'
import { individual } from '../../../test/harness/data/bodies.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { useSharedApis } from '../../../test/harness/installation/running-installation.ts'
import { createPayoutWorld } from '../../../test/harness/money/payout-world.ts'
import { createProvider, standardHeaders } from '../../../test/harness/servers/payment-provider.ts'

const accountIban = individual.bank_account.iban
const payerIban = 'DE02120300000000202051'
const otherPayerIban = 'DE02500105170137075030'
const attackerIban = 'FR1420041010050500013M02606'
const masked = (iban: string) => `${iban.slice(0, 4)}…${iban.slice(-4)}`
const attackerAccount = { ...individual.bank_account, account_holder: 'Mallory Second', iban: attackerIban }

describe('creditors of refunds', async () => {
  const running = await useSharedApis()
  const { installation, api, operatorApi } = running
  const world = () => createPayoutWorld(running)
  const reasonsOf = (body: { left_out: { refund_id: string; reason: string }[] }) =>
    body.left_out.map(({ refund_id, reason }) => [refund_id, reason])

  test('a refund goes back to the payer, and without a known payer to the investor account', async () => {
    const { operator, refundOf, createPayout, transfersOf } = await world()
    await refundOf(payerIban)
    await refundOf(null)
    const { id, left_out } = (await createPayout()).body
    assert.deepEqual(left_out, [])
    assert.deepEqual((await transfersOf(id)).toSorted(), [
      `account ${masked(accountIban)}`,
      `payer ${masked(payerIban)}`,
    ])
    const [transfer] = (await operator.get(`/payouts/${id}/transfers`)).body.results
    assert.equal(transfer.creditor_name, 'Ada Lovelace')
  })

  test('the IBAN of a creditor is masked', async () => {
    const { tenant, refundOf, createPayout } = await world()
    await refundOf(payerIban)
    const { id } = (await createPayout()).body
    const viewer = await OperatorClient.create(installation, operatorApi, tenant.id, 'viewer')
    const [transfer] = (await viewer.get(`/payouts/${id}/transfers`)).body.results
    assert.equal(transfer.creditor_iban, 'DE02…2051')
  })

  test('a refund of a payment that a provider reports goes back to the payer of the notification', async () => {
    const { tenant, order, cancel, createPayout, transfersOf } = await world()
    const { id, secret } = await createProvider(installation, tenant.id)
    const { id: orderId, reference } = await order()
    const data = { reference: 'A-1', payment_reference: reference, amount: '125.00', currency: 'EUR' }
    const at = '2026-07-02T10:00:00.000Z'
    const payer = { name: 'Ada Lovelace', iban: payerIban }
    const body = JSON.stringify({ type: 'payment.received', timestamp: at, data: { ...data, received_at: at, payer } })
    const headers = standardHeaders(body, secret)
    const sent = await api.call('POST', `/payment-notifications/${id}`, { body, headers })
    assert.deepEqual(sent.body, { outcome: 'booked' }, sent.text)
    await cancel(orderId)
    assert.deepEqual(await transfersOf((await createPayout()).body.id), [`payer ${masked(payerIban)}`])
  })

  test('a payment that an operator assigns keeps its payer', async () => {
    const { operator, order, pay, cancel, createPayout, transfersOf } = await world()
    const unassigned = await pay('RF00UNKNOWN', payerIban)
    assert.ok(unassigned.kind === 'unassigned')
    const { id: orderId } = await order()
    await operator.post(`/unassigned-payments/${unassigned.id}/assign`, { order_id: orderId })
    await cancel(orderId)
    assert.deepEqual(await transfersOf((await createPayout()).body.id), [`payer ${masked(payerIban)}`])
  })

  test('an overpayment goes back to the account that overpaid, not to the one that paid first', async () => {
    const { order, pay, refundIdOf, operator, createPayout, transfersOf } = await world()
    const { id: orderId, reference } = await order()
    await pay(reference, payerIban)
    await pay(reference, otherPayerIban, '7.00')
    const refund = (await operator.get(`/refunds/${await refundIdOf(orderId)}`)).body
    assert.equal(refund.amount, '7.00')
    assert.match(refund.payment_id, /^[0-9a-f-]{36}$/)
    assert.deepEqual(await transfersOf((await createPayout()).body.id), [`payer ${masked(otherPayerIban)}`])
  })

  test('an order that different accounts paid: a cent from a stranger does not redirect its refund', async () => {
    const { order, pay, cancel, refundIdOf, approve, createPayout, transfersOf } = await world()
    for (const known of [payerIban, null]) {
      const { id: orderId, reference } = await order()
      await pay(reference, otherPayerIban, '0.01')
      await pay(reference, known, '124.99')
      await cancel(orderId)
      const refundId = await refundIdOf(orderId)
      const rejected = await createPayout()
      assertError(rejected, 409, 'no_refund_due')
      assert.match(
        rejected.body.error.message,
        new RegExp(`different or unknown.*/refunds/${refundId}/approve-account`),
      )
      assert.equal((await approve(refundId)).status, 200)
      assert.deepEqual(await transfersOf((await createPayout()).body.id), [`account ${masked(accountIban)}`])
    }
  })

  test('a payment that was refunded on its own does not count as another payer of the order', async () => {
    const { order, pay, cancel, createPayout, transfersOf } = await world()
    const { id: orderId, reference } = await order()
    await pay(reference, payerIban)
    await pay(reference, otherPayerIban, '0.01')
    await cancel(orderId)
    const { id, left_out } = (await createPayout()).body
    assert.deepEqual(left_out, [])
    assert.deepEqual((await transfersOf(id)).toSorted(), [
      `payer ${masked(payerIban)}`,
      `payer ${masked(otherPayerIban)}`,
    ])
  })

  test('the file pays the creditors of the listed transfers, whatever the account says later', async () => {
    const { refundOf, changeBankAccount, createPayout, transfersOf, release, paidIbans } = await world()
    await refundOf(payerIban)
    await refundOf(null)
    const { id } = (await createPayout()).body
    await changeBankAccount(attackerAccount)
    const listed = await transfersOf(id)
    assert.deepEqual(listed.toSorted(), [`account ${masked(accountIban)}`, `payer ${masked(payerIban)}`])
    await release(id)
    await changeBankAccount({ ...attackerAccount, account_holder: 'Ada Lovelace' })
    assert.deepEqual((await paidIbans(id)).toSorted(), [payerIban, accountIban])
  })

  test('a refund to bank data that changed less than seven days ago waits for a second person', async () => {
    const { operator, second, accountId, refundOf, changeBankAccount, createPayout, approve, transfersOf } =
      await world()
    const refundId = await refundOf(null)
    const right = await refundOf(payerIban)
    const changed = { ...individual.bank_account, iban: otherPayerIban }
    await changeBankAccount(changed)
    const first = (await createPayout()).body
    assert.deepEqual([first.count, reasonsOf(first)], [1, [[refundId, 'bank_account_changed']]])
    assert.notEqual(refundId, right)
    await operator.post(`/payouts/${first.id}/discard`)

    const proposal = await operator.post(`/refunds/${refundId}/approve-account`)
    assert.deepEqual([proposal.status, proposal.body.confirm_duty], [202, 'release'])
    assert.deepEqual(reasonsOf((await createPayout()).body), [[refundId, 'bank_account_changed']])
    const confirmed = await confirmAs(operatorApi, second, proposal)
    assert.equal(confirmed.status, 200, confirmed.text)
    assert.ok(confirmed.body.result.account_approved_at)
    const approved = (await createPayout()).body
    assert.deepEqual(await transfersOf(approved.id), [`account ${masked(otherPayerIban)}`])

    // Another change voids the approval: the second person has not seen the new data.
    await operator.post(`/payouts/${approved.id}/discard`)
    await changeBankAccount({ ...changed, iban: attackerIban })
    assertError(await createPayout(), 409, 'no_refund_due')
    await installation.rows(
      `update cell.account set bank_account_changed_at = now() - interval '7 days' where id = $1`,
      [accountId],
    )
    assert.deepEqual(await transfersOf((await createPayout()).body.id), [`account ${masked(attackerIban)}`])
    assertError(await operator.post(`/refunds/${crypto.randomUUID()}/approve-account`), 404, 'not_found')
    assert.equal((await approve(refundId)).status, 200)
  })

  test('the tenant sets how long refunds wait and how similar the holder must be', async () => {
    const { tenant, refundOf, changeBankAccount, createPayout } = await world()
    const set = (column: string, value: number) =>
      installation.rows(`update cell.tenant_settings set ${column} = $2 where tenant_id = $1`, [tenant.id, value])
    await refundOf(null)
    await changeBankAccount({ ...individual.bank_account, iban: otherPayerIban, account_holder: 'Ida Lovelace' })
    assertError(await createPayout(), 409, 'no_refund_due')
    await set('refund_hold_days', 0)
    await set('refund_name_similarity_percent', 95)
    assert.match((await createPayout()).body.error.message, /does not resemble/)
    await set('refund_name_similarity_percent', 60)
    assert.deepEqual((await createPayout()).body.left_out, [])
  })

  test('sending the same bank data again is not a change', async () => {
    const { refundOf, changeBankAccount, createPayout } = await world()
    await refundOf(null)
    await changeBankAccount(individual.bank_account)
    assert.deepEqual((await createPayout()).body.left_out, [])
  })

  test('a refund to a holder who does not resemble the investor waits for a second person', async () => {
    const { tenant, refundOf, createPayout, approve, transfersOf } = await world()
    const accountId = await tenant.account({ ...individual, bank_account: attackerAccount })
    const refundId = await refundOf(null, accountId)
    const rejected = await createPayout()
    assertError(rejected, 409, 'no_refund_due')
    assert.match(rejected.body.error.message, /does not resemble/)
    assert.equal((await approve(refundId)).status, 200)
    assert.deepEqual(await transfersOf((await createPayout()).body.id), [`account ${masked(attackerIban)}`])
  })

  test('bank data that change between the proposal and the confirmation are not approved', async () => {
    const { operator, second, refundOf, changeBankAccount } = await world()
    const refundId = await refundOf(null)
    await changeBankAccount({ ...individual.bank_account, iban: otherPayerIban })
    const proposal = await operator.post(`/refunds/${refundId}/approve-account`)
    await changeBankAccount(attackerAccount)
    assertError(await confirmAs(operatorApi, second, proposal), 409, 'subject_changed')
  })

  test('a refund that the bank of the payer returned can be approved for the investor account', async () => {
    const { operator, refundOf, createPayout, release, download, approve, transfersOf } = await world()
    const refundId = await refundOf(payerIban)
    const { id } = (await createPayout()).body
    await release(id)
    await download(id)
    assertError(await operator.post(`/refunds/${refundId}/approve-account`), 409, 'refund_not_in_state')
    await operator.postTogether(`/refunds/${refundId}/fail`, { failure: 'AC04 closed account' })
    assert.equal((await approve(refundId)).status, 200)
    await operator.postTogether(`/refunds/${refundId}/retry`)
    assert.deepEqual(await transfersOf((await createPayout()).body.id), [`account ${masked(accountIban)}`])
  })
})
