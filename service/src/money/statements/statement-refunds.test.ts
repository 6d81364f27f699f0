import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { assertMoneyAddsUp } from '../../../test/harness/money/money-check.ts'
import { StatementWorld } from '../../../test/harness/money/statement-world.ts'

describe('refunds and reversals in bank statements', async () => {
  const world = await StatementWorld.create()
  after(() => world.end())
  const { installation, operator, tenant } = world
  afterEach(() => assertMoneyAddsUp(installation, tenant.id))

  const sentRefund = async () => {
    const { id, reference } = await world.order()
    await world.importEntries([{ amount: '135.00', creditorReference: reference }])
    const [refund] = await world.refundsOf(id)
    await operator.post(`/refunds/${refund.id}/send`, { reference: 'RUN-1' })
    return { orderId: id, refundId: String(refund.id), endToEndId: String(refund.id).replaceAll('-', '') }
  }
  const refundNow = async (refundId: string) => {
    const { status, failure } = (await operator.get(`/refunds/${refundId}`)).body
    return [status, failure]
  }

  test('a debit settles its refund; a later return fails it with code and text', async () => {
    const { refundId, endToEndId } = await sentRefund()
    const { states } = await world.importEntries([
      { amount: '10.00', isDebit: true, endToEndId: endToEndId.toUpperCase() },
    ])
    assert.deepEqual([states, await refundNow(refundId)], [['refund_settled'], ['settled', null]])
    const back = await world.importEntries([
      { amount: '10.00', endToEndId, returnCode: 'AC04', returnText: 'closed account' },
    ])
    assert.deepEqual([back.states, await refundNow(refundId)], [['refund_failed'], ['failed', 'AC04 closed account']])
    assert.deepEqual([back.entries[0].refund_id, back.entries[0].order_id], [refundId, null])
  })

  test('a refund returned without a debit and without a code fails too', async () => {
    const { refundId, endToEndId } = await sentRefund()
    const { states } = await world.importEntries([{ amount: '10.00', endToEndId }])
    assert.deepEqual([states, await refundNow(refundId)], [['refund_failed'], ['failed', 'returned by the bank']])
  })

  test('a wrong amount, a refund not sent, a refund debited twice and an unknown return need attention', async () => {
    const { refundId, endToEndId } = await sentRefund()
    const debit = { amount: '10.00', isDebit: true, endToEndId }
    const first = await world.importEntries([{ ...debit, amount: '9.99' }, debit, { ...debit, bankReference: 'twice' }])
    assert.deepEqual(first.states, ['needs_attention', 'refund_settled', 'needs_attention'])
    assert.match(first.entries[0].note, /^The refund is 10.00 EUR/)
    assert.match(first.entries[2].note, /^The refund is settled/)
    const { id, reference } = await world.order()
    await world.importEntries([{ amount: '126.00', creditorReference: reference }])
    const due = String((await world.refundsOf(id))[0].id)
    const second = await world.importEntries([
      { amount: '1.00', isDebit: true, endToEndId: due.replaceAll('-', '') },
      { amount: '3.00', returnCode: 'AC01' },
      { amount: '4.00', isDebit: true, endToEndId: crypto.randomUUID().replaceAll('-', '') },
    ])
    assert.deepEqual(second.states, ['needs_attention', 'needs_attention', 'other'])
    assert.deepEqual(
      [await refundNow(refundId), await refundNow(due)],
      [
        ['settled', null],
        ['due', null],
      ],
    )
  })

  test('a debit in another currency than its refund settles nothing and needs attention', async () => {
    await tenant.fixtures.offering(tenant.id, { currency: 'USD' })
    const { refundId, endToEndId } = await sentRefund()
    const { states, entries } = await world.importEntries([{ amount: '10.00', isDebit: true, endToEndId }], {
      currency: 'USD',
    })
    assert.deepEqual([states, await refundNow(refundId)], [['needs_attention'], ['sent', null]])
    assert.match(entries[0].note, /^The refund is 10.00 EUR/)
  })

  test('an entry needs attention until an operator resolves it, which moves no money and is audited', async () => {
    const { id, reference } = await world.order()
    const { result, entries } = await world.importEntries([
      { amount: '125.00', creditorReference: reference },
      { amount: '99.00', isDebit: true, isReversal: true },
    ])
    const statementId = result.statements[0].id
    const [booked, reversal] = entries
    const isListed = async (needsAttention: boolean) =>
      (await operator.get(`/statements?needs_attention=${needsAttention}&limit=50`)).body.results.some(
        (one: { id: string }) => one.id === statementId,
      )
    assert.deepEqual([await isListed(true), await isListed(false)], [true, false])
    const resolve = (entryId: string, resolution: string) =>
      operator.post(`/statements/${statementId}/entries/${entryId}/resolve`, { resolution })

    assertError(await resolve(booked.id, 'no'), 409, 'statement_entry_not_resolvable')
    assertError(await resolve(crypto.randomUUID(), 'no'), 404, 'not_found')
    const resolved = await resolve(reversal.id, 'The payer paid again by card.')
    assert.equal(resolved.status, 200, resolved.text)
    const { state, note, resolution } = resolved.body
    assert.deepEqual(
      [state, note, resolution],
      ['resolved', 'The bank reversed a credit. It matches no payment.', 'The payer paid again by card.'],
    )
    assert.deepEqual((await resolve(reversal.id, 'resolved again')).body, resolved.body)
    const counts = await world.readStatement(statementId)
    assert.deepEqual([counts.pending, counts.booked, counts.needs_attention, counts.resolved], [0, 1, 0, 1])
    assert.deepEqual([await isListed(true), await isListed(false)], [false, true])
    assert.deepEqual(await world.orderState(id), ['PAID', 125])
    const audited = (await operator.get(`/audit?subject_id=${reversal.id}`)).body
    assert.deepEqual(
      [audited.pagination.count, audited.results[0].action, audited.results[0].after.state],
      [1, 'statement_entry.resolved', 'resolved'],
    )
  })
})
