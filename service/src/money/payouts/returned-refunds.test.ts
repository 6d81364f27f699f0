import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { confirmAs } from '../../../test/harness/callers/second-person.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { useWorker } from '../../../test/harness/installation/running-installation.ts'
import { StatementWorld } from '../../../test/harness/money/statement-world.ts'

const payer = { payerName: 'Ada Lovelace', payerIban: 'DE02120300000000202051' }

describe('a refund whose file was downloaded', async () => {
  const running = await useWorker()
  let world: StatementWorld
  let clerk: StatementWorld['operator']
  beforeEach(async () => {
    world = await StatementWorld.create(running)
    clerk = world.operator
  })

  const expire = (orderId: string) =>
    running.installation.rows(`update cell.token_order set status = 'NOPAYMENT' where id = $1`, [orderId])
  /** An order that was paid too late, and its refund of 125.00 in a file that was downloaded. */
  const paidOut = async () => {
    const order = await world.order()
    await expire(order.id)
    await world.importEntries([{ amount: '125.00', text: order.reference, ...payer }])
    const [{ id: refundId }] = await world.refundsOf(order.id)
    const { id: payoutId } = (await clerk.post('/payouts', {})).body
    await clerk.post(`/payouts/${payoutId}/release`)
    assert.equal((await clerk.download(`/payouts/${payoutId}/download`)).status, 200)
    return { orderId: order.id, refundId, payoutId, endToEndId: refundId.replaceAll('-', '') }
  }
  const read = async (refundId: string) => {
    const { status, may_be_paid: mayBePaid } = (await clerk.get(`/refunds/${refundId}`)).body
    return [status, mayBePaid]
  }
  const failTogether = (refundId: string) => clerk.postTogether(`/refunds/${refundId}/fail`, { failure: 'AC04' })
  const inOneYear = () => new Date(Date.now() + 365 * 86_400_000).toISOString()

  test('fails by a bank entry or by two persons, whatever the tenant has decided', async () => {
    const { refundId } = await paidOut()
    const proposal = await clerk.post(`/refunds/${refundId}/fail`, { failure: 'AC04' })
    assert.deepEqual([proposal.status, proposal.body.confirm_duty], [202, 'release'])
    assert.deepEqual(await read(refundId), ['sent', true])
    const approval = (await clerk.get(`/approvals/${proposal.body.approval_id}`)).body
    assert.deepEqual([approval.amount, approval.currency], ['12500', 'EUR'])
    const second = await world.installation.createOperator(world.tenant.id)
    assert.equal((await confirmAs(world.operatorApi, second, proposal)).status, 200)
    assert.deepEqual(await read(refundId), ['failed', true])
    const retry = await clerk.post(`/refunds/${refundId}/retry`)
    assert.equal(retry.status, 202)
    assert.equal((await confirmAs(world.operatorApi, second, retry)).status, 200)
    assert.deepEqual(await read(refundId), ['due', true])
  })

  test('never pays its order again, unless a bank entry says that it came back', async () => {
    const { orderId, refundId, endToEndId } = await paidOut()
    const acceptLate = () => clerk.post(`/orders/${orderId}/accept-late-payment`)
    const extend = () => clerk.post(`/orders/${orderId}/extend`, { payment_due_at: inOneYear() })
    assertError(await acceptLate(), 409, 'order_underpaid')
    await failTogether(refundId)
    assertError(await acceptLate(), 409, 'order_underpaid')
    await clerk.postTogether(`/refunds/${refundId}/retry`)
    assertError(await acceptLate(), 409, 'order_underpaid')
    assert.deepEqual([(await extend()).status, await world.orderState(orderId)], [200, ['ORDERED', 0]])
    const [payment] = (await clerk.get(`/orders/${orderId}/payments`)).body.results
    const reversal = await clerk.post(`/payments/${payment.id}/reverse`, { reason: 'wrong order' })
    assertError(reversal, 409, 'payment_not_reversible')
    assert.deepEqual(await read(refundId), ['due', true])

    await world.importEntries([{ amount: '125.00', endToEndId, returnCode: 'AC04' }])
    assert.deepEqual(await read(refundId), ['due', false])
    await expire(orderId)
    assert.equal((await acceptLate()).status, 200)
    assert.deepEqual([(await world.orderState(orderId))[0], await read(refundId)], ['PAID', ['withdrawn', false]])
  })

  test('is retried by one person if a bank entry says that it came back', async () => {
    const { orderId, refundId, endToEndId } = await paidOut()
    await world.importEntries([{ amount: '125.00', endToEndId, returnCode: 'AC04', returnText: 'closed account' }])
    assert.deepEqual(await read(refundId), ['failed', false])
    assert.equal((await clerk.post(`/refunds/${refundId}/retry`)).body.status, 'due')
    assert.equal((await clerk.post(`/orders/${orderId}/accept-late-payment`)).body.status, 'PAID')
  })

  test('is settled and not paid again if the bank debits it after two persons said that it failed', async () => {
    const { refundId, endToEndId } = await paidOut()
    await failTogether(refundId)
    await clerk.postTogether(`/refunds/${refundId}/retry`)
    const { states } = await world.importEntries([{ amount: '125.00', isDebit: true, endToEndId }])
    assert.deepEqual([states, await read(refundId)], [['refund_settled'], ['settled', true]])
    assertError(await clerk.post('/payouts', {}), 409, 'no_refund_due')
  })

  test('is shown with its earlier files to those who release it again', async () => {
    const { refundId, payoutId } = await paidOut()
    await failTogether(refundId)
    await clerk.postTogether(`/refunds/${refundId}/retry`)
    const again = (await clerk.post('/payouts', {})).body
    const { downloaded_at: downloadedAt } = (await clerk.get(`/payouts/${payoutId}`)).body
    const earlier = { payout_id: payoutId, downloaded_at: downloadedAt }
    const seen = (await clerk.get(`/payouts/${again.id}`)).body
    assert.deepEqual([seen.sent_before, seen.earlier_payouts], [1, [{ ...earlier, refunds: 1 }]])
    const [transfer] = (await clerk.get(`/payouts/${again.id}/transfers`)).body.results
    assert.deepEqual([transfer.may_be_paid, transfer.earlier_payouts], [true, [earlier]])
    const first = (await clerk.get(`/payouts/${payoutId}`)).body
    assert.deepEqual([first.sent_before, first.earlier_payouts], [1, []])
  })
})
