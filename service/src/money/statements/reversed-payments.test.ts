import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { assertMoneyAddsUp } from '../../../test/harness/money/money-check.ts'
import { StatementWorld } from '../../../test/harness/money/statement-world.ts'

describe('payments that a bank reverses, and payments that are reported twice', async () => {
  const world = await StatementWorld.create()
  after(() => world.end())
  const { installation, operator, tenant } = world
  afterEach(() => assertMoneyAddsUp(installation, tenant.id))

  const read = async (orderId: string) => (await operator.get(`/orders/${orderId}`)).body
  const paymentsOf = async (orderId: string) =>
    (await operator.get(`/orders/${orderId}/payments?direction=asc`)).body.results
  const refundsOf = async (orderId: string) =>
    (await world.refundsOf(orderId)).map(({ amount, status }) => `${amount} ${status}`)
  const record = (orderId: string, amount: string, change: object = {}) =>
    operator.post(`/orders/${orderId}/payments`, {
      amount,
      currency: 'EUR',
      reference: crypto.randomUUID(),
      received_at: '2026-07-02T10:00:00.000Z',
      ...change,
    })
  /** An order that a credit with this bank reference has paid. */
  const paidOrder = async (amount = '125.00') => {
    const { id, reference } = await world.order()
    const bankReference = crypto.randomUUID()
    await world.importEntries([{ amount, creditorReference: reference, bankReference }])
    return { id, reference, bankReference }
  }
  const reversal = (bankReference: string | null, amount = '125.00') => ({
    amount,
    isDebit: true,
    isReversal: true,
    bankReference,
  })

  for (const status of ['PAID', 'READYTOMINT'] as const)
    test(`a reversal makes an order that is ${status} wait for payment again, with a new deadline`, async () => {
      const { id, reference, bankReference } = await paidOrder()
      await tenant.fixtures.move(tenant.id, id, status === 'PAID' ? [] : ['READYTOMINT'])
      await installation.rows(`update cell.token_order set payment_due_at = now() - interval '1 day' where id = $1`, [
        id,
      ])
      const { states, entries } = await world.importEntries([reversal(bankReference)])
      assert.deepEqual([states, entries[0].order_id], [['payment_reversed'], id])
      const order = await read(id)
      assert.deepEqual(
        [order.status, order.paid_amount, order.paid_at, order.mint_wallet_id],
        ['ORDERED', 0, null, null],
      )
      const termMs = Date.parse(order.payment_due_at) - Date.now()
      assert.ok(Math.abs(termMs - 14 * 86_400_000) < 3_600_000, `due in ${termMs} ms`)
      const [payment] = await paymentsOf(id)
      assert.notEqual(payment.reversed_at, null)
      const types = await world.orderEvents(id)
      assert.deepEqual(types.slice(-2).toSorted(), ['order.payment_reversed', 'payment.reversed'])
      // The investor pays again.
      await world.importEntries([{ amount: '125.00', creditorReference: reference }])
      assert.deepEqual(await world.orderState(id), ['PAID', 125])
    })

  for (const status of ['MINTING', 'MINTED'] as const)
    test(`a reversal of the payment of an order that is ${status} changes nothing and needs attention`, async () => {
      const { id, bankReference } = await paidOrder()
      const steps = ['READYTOMINT', 'MINTING', 'MINTED'] as const
      await tenant.fixtures.move(tenant.id, id, steps.slice(0, steps.indexOf(status) + 1))
      const { states, entries } = await world.importEntries([reversal(bankReference)])
      assert.deepEqual([states, entries[0].order_id], [['needs_attention'], id])
      assert.match(entries[0].note, new RegExp(`but the order is ${status}`))
      assert.deepEqual(await world.orderState(id), [status, 125])
      assert.equal((await paymentsOf(id))[0].reversed_at, null)
    })

  test('a reversal without the bank reference finds the payment by the order that it names, once', async () => {
    const { id, reference } = await paidOrder('60.00')
    await world.importEntries([{ amount: '60.00', creditorReference: reference }])
    const named = { ...reversal(null, '60.00'), text: `REVERSAL ${reference}` }
    const more = ['second', 'third'].map((bankReference) => ({ ...named, bankReference }))
    const { states } = await world.importEntries([named, ...more])
    assert.deepEqual(states, ['payment_reversed', 'payment_reversed', 'needs_attention'])
    assert.deepEqual(await world.orderState(id), ['ORDERED', 0])
  })

  test('a debit that returns a credit, without the mark of a reversal, reverses its payment', async () => {
    const { id, bankReference } = await paidOrder()
    const returned = { amount: '125.00', isDebit: true, bankReference, returnCode: 'AC04' }
    assert.deepEqual((await world.importEntries([returned])).states, ['payment_reversed'])
    assert.deepEqual(await world.orderState(id), ['ORDERED', 0])
  })

  test('a reversed payment takes back its own refund, not that of another payer with the same amount', async () => {
    const { id, reference } = await world.order()
    await tenant.fixtures.bringTo(tenant.id, id, 'NOPAYMENT')
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()]
    for (const bankReference of [one, other])
      await world.importEntries([{ amount: '125.00', creditorReference: reference, bankReference }])
    await world.importEntries([reversal(other)])
    const [first, second] = await paymentsOf(id)
    assert.deepEqual([first.reversed_at, second.reversed_at === null], [null, false])
    assert.deepEqual(
      (await world.refundsOf(id)).map(({ payment_id, status }) => [payment_id, status]),
      [
        [first.id, 'due'],
        [second.id, 'withdrawn'],
      ],
    )
  })

  test('money that is due for refund is taken back first; an order that stays covered stays PAID', async () => {
    const { id, reference, bankReference } = await paidOrder()
    await world.importEntries([{ amount: '130.00', creditorReference: reference }])
    assert.deepEqual(await refundsOf(id), ['130.00 due'])
    await world.importEntries([reversal(bankReference)])
    assert.deepEqual(
      [await world.orderState(id), await refundsOf(id)],
      [
        ['PAID', 125],
        ['130.00 withdrawn', '5.00 due'],
      ],
    )
    await world.importEntries([{ ...reversal(null, '130.00'), text: reference }])
    assert.deepEqual(await world.orderState(id), ['ORDERED', 0])
    assert.deepEqual(await refundsOf(id), ['130.00 withdrawn', '5.00 withdrawn'])
  })

  test('a part payment is taken back from an order that is ORDERED; a sent refund is not touched', async () => {
    const part = await paidOrder('60.00')
    await world.importEntries([reversal(part.bankReference, '60.00')])
    assert.deepEqual(await world.orderState(part.id), ['ORDERED', 0])
    const { id, bankReference } = await paidOrder()
    await operator.post(`/orders/${id}/cancel`, { reason: 'requested' })
    const [refund] = await world.refundsOf(id)
    await operator.post(`/refunds/${refund.id}/send`, { reference: 'RUN-1' })
    const { states, entries } = await world.importEntries([reversal(bankReference)])
    assert.deepEqual([states, await refundsOf(id)], [['needs_attention'], ['125.00 sent']])
    assert.match(entries[0].note, /already refunded/)
  })

  test('one bank reference for payments of two orders: the order that the reversal names decides', async () => {
    const [one, other] = [await world.order(), await world.order()]
    const batch = [one, other].map(({ reference }) => ({ amount: '125.00', creditorReference: reference }))
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()]
    await world.importEntries([{ amount: '250.00', bankReference: first, batch }])
    const ambiguous = await world.importEntries([reversal(first)])
    assert.deepEqual(ambiguous.states, ['needs_attention'])
    await world.importEntries([{ amount: '250.00', bankReference: second, batch }])
    const named = { ...reversal(second), creditorReference: other.reference }
    assert.deepEqual((await world.importEntries([named])).states, ['payment_reversed'])
    assert.deepEqual(await refundsOf(one.id), ['125.00 due'])
    assert.deepEqual(
      [await world.orderState(other.id), await refundsOf(other.id)],
      [['PAID', 125], ['125.00 withdrawn']],
    )
  })

  describe('a reversal of a credit that an operator split changes nothing and needs attention', () => {
    /** A credit of 100.00 that names no order, split by an operator. */
    const splitCredit = async (...splits: (readonly [orderId: string, amount: string])[][]) => {
      const bankReference = crypto.randomUUID()
      const { entries } = await world.importEntries([{ amount: '100.00', bankReference }])
      const unassignedId: string = entries[0].unassigned_payment_id
      for (const split of splits) {
        const parts = split.map(([order_id, amount]) => ({ order_id, amount }))
        const response = await operator.post(`/unassigned-payments/${unassignedId}/split`, { parts })
        assert.equal(response.status, 200, response.text)
      }
      return { bankReference, unassignedId }
    }
    const expectUnchanged = async (unassignedId: string, bankReference: string, change: object = {}) => {
      const earlier = (await operator.get(`/unassigned-payments/${unassignedId}`)).text
      const { states, entries } = await world.importEntries([{ ...reversal(bankReference, '100.00'), ...change }])
      assert.deepEqual(states, ['needs_attention'])
      assert.match(entries[0].note, new RegExp(`split: GET /unassigned-payments/${unassignedId}`))
      assert.equal((await operator.get(`/unassigned-payments/${unassignedId}`)).text, earlier)
    }

    test('with a part of it open', async () => {
      const { id } = await world.order()
      const { bankReference, unassignedId } = await splitCredit([[id, '60.00']])
      await expectUnchanged(unassignedId, bankReference)
      assert.deepEqual(await world.orderState(id), ['ORDERED', 60])
    })

    test('with both parts paid to the same order', async () => {
      const { id } = await world.order()
      const { bankReference, unassignedId } = await splitCredit([[id, '60.00']], [[id, '40.00']])
      await expectUnchanged(unassignedId, bankReference)
      assert.deepEqual(await world.orderState(id), ['ORDERED', 100])
    })

    for (const isNamed of [true, false])
      test(`with parts of two orders, the debit names ${isNamed ? 'one' : 'none'} of them`, async () => {
        const [one, other] = [await world.order(), await world.order()]
        const { bankReference, unassignedId } = await splitCredit([
          [one.id, '60.00'],
          [other.id, '40.00'],
        ])
        await expectUnchanged(unassignedId, bankReference, isNamed ? { creditorReference: one.reference } : {})
        assert.deepEqual(
          [await world.orderState(one.id), await world.orderState(other.id)],
          [
            ['ORDERED', 60],
            ['ORDERED', 40],
          ],
        )
      })
  })

  test('the same money recorded by hand and then in the statement needs attention and is no refund', async () => {
    const { id, reference } = await world.order()
    const { body: manual } = await record(id, '125')
    const { states, entries, result } = await world.importEntries([
      { amount: '125.00', creditorReference: reference },
      { amount: '125.00', creditorReference: reference },
    ])
    // The second one cannot be the money that was recorded by hand.
    assert.deepEqual(states, ['needs_attention', 'booked'])
    assert.equal(entries[0].order_id, id)
    assert.match(entries[0].note, new RegExp(`^Payment ${manual.id} over 125.00 EUR, recorded by hand`))
    assert.deepEqual([await world.orderState(id), await refundsOf(id)], [['PAID', 125], ['125.00 due']])
    assert.notEqual((await paymentsOf(id))[0].matched_at, null)
    const path = `/statements/${result.statements[0].id}/entries/${entries[0].id}/resolve`
    const resolved = await operator.post(path, { resolution: 'the same money' })
    assert.equal(resolved.body.state, 'resolved', resolved.text)
  })

  test('another amount than the one recorded by hand is booked', async () => {
    const { id, reference } = await world.order()
    await record(id, '25')
    const { states } = await world.importEntries([{ amount: '100.00', creditorReference: reference }])
    assert.deepEqual([states, await world.orderState(id)], [['booked'], ['PAID', 125]])
  })

  test('a payment by hand is rejected if the statement has booked it, unless it is additional', async () => {
    const { id } = await paidOrder('60.00')
    const [booked] = await paymentsOf(id)
    const rejected = await record(id, '60')
    assertError(rejected, 409, 'duplicate_payment_suspected')
    assert.ok(rejected.body.error.message.includes(booked.id))
    assert.deepEqual(await world.orderState(id), ['ORDERED', 60])
    const additional = { reference: 'second transfer', is_additional: true }
    assert.equal((await record(id, '60', additional)).status, 201)
    // The payment is known by its reference, so it no longer needs a confirmation.
    assert.equal((await record(id, '60', { reference: 'second transfer' })).status, 201)
    assert.deepEqual([await world.orderState(id), await world.paymentCount(id)], [['ORDERED', 120], 2])
  })

  test('a reversed payment can be recorded by hand again', async () => {
    const { id, bankReference } = await paidOrder()
    await world.importEntries([reversal(bankReference)])
    assert.equal((await record(id, '125')).status, 201)
    assert.deepEqual(await world.orderState(id), ['PAID', 125])
  })
})
