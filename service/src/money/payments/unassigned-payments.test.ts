import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { individual } from '../../../test/harness/data/bodies.ts'
import { recordedChanges } from '../../../test/harness/data/recorded.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { useSharedApis } from '../../../test/harness/installation/running-installation.ts'
import { reportPayment } from '../../../test/harness/money/incoming-payment.ts'
import { createPaymentDesk } from '../../../test/harness/money/payment-desk.ts'
import { until, waitingForLocks } from '../../../test/harness/wait.ts'
import { Money } from '../../platform/base/money.ts'
import { Vaults } from '../../platform/postgres/vault.ts'
import { bookPayment } from './book-payment.ts'
import { nameSimilarity } from './name-similarity.ts'
import { suggestOrders } from './suggest-orders.ts'

describe('unassigned payments', async () => {
  const running = await useSharedApis()
  const { installation, api } = running
  const { tenant, operator, order, report, reportUnassigned, readOrder, paymentsOf, refundsOf } =
    await createPaymentDesk(running)

  const statusOf = async (id: string) => (await readOrder(id)).status
  const open = async (paymentId: string) => {
    const { results } = (await operator.get('/unassigned-payments?status=open&limit=50')).body
    return results.find(({ id }: { id: string }) => id === paymentId)
  }

  for (const [name, write] of [
    ['as it is', (reference: string) => ({ paymentReference: reference })],
    ['in groups of four', (reference: string) => ({ paymentReference: reference.replaceAll(/(.{4})/g, '$1 ') })],
    ['in small letters with dashes', (reference: string) => ({ text: `my-${reference.toLowerCase()}-tokens` })],
    ['in the middle of a sentence', (reference: string) => ({ text: `Order ${reference} thanks, RF00 to you` })],
    ['glued to other words', (reference: string) => ({ text: `TOKENS${reference}ADALOVELACE` })],
  ] as const)
    test(`a reference finds its order: ${name}`, async () => {
      const { id, reference } = await order()
      assert.deepEqual(await report(write(reference)), { kind: 'payment', orderId: id, isNew: true })
      assert.equal(await statusOf(id), 'PAID')
    })

  test('a reference without check digits, from an older release, finds its order', async () => {
    const { id } = await order()
    await installation.rows(`update cell.token_order set payment_reference = 'IT0123456789ABCDEF' where id = $1`, [id])
    assert.deepEqual(await report({ text: 'it 0123-4567-89ab-cdef' }), { kind: 'payment', orderId: id, isNew: true })
  })

  test('a payment with a mistyped reference, two references or another currency stays unassigned', async () => {
    const [one, other] = [await order(), await order()]
    const dollars = await order(undefined, await tenant.fixtures.offering(tenant.id, { currency: 'USD' }))
    const mistyped = one.reference.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    await reportUnassigned({ paymentReference: mistyped })
    await reportUnassigned({ text: `${one.reference} and ${other.reference}` })
    await reportUnassigned({ paymentReference: one.reference, text: other.reference })
    await reportUnassigned({ paymentReference: dollars.reference })
    for (const { id } of [one, other, dollars]) assert.equal(await statusOf(id), 'ORDERED')
  })

  test('a reference does not find an order of another tenant', async () => {
    const otherTenant = await TestTenant.create(installation, api)
    const { reference } = await order()
    const booked = await reportPayment(installation, otherTenant.id, { paymentReference: reference })
    assert.equal(booked.kind, 'unassigned')
  })

  test('reporting a payment again changes nothing: booked, unassigned, assigned or dismissed', async () => {
    const { id, reference } = await order()
    const payment = { reference: 'again 1', paymentReference: reference }
    await report(payment)
    assert.deepEqual(await report({ ...payment, amount: '1.00' }), { kind: 'payment', orderId: id, isNew: false })
    const paymentId = await reportUnassigned({ reference: 'again 2' })
    assert.deepEqual(await report({ reference: 'again 2' }), { kind: 'unassigned', id: paymentId, isNew: false })
    const target = await order()
    await operator.post(`/unassigned-payments/${paymentId}/assign`, { order_id: target.id })
    assert.deepEqual(await report({ reference: 'again 2' }), { kind: 'payment', orderId: target.id, isNew: false })
    const dismissed = await reportUnassigned({ reference: 'again 3' })
    await operator.post(`/unassigned-payments/${dismissed}/dismiss`, { reason: 'interest' })
    assert.deepEqual(await report({ reference: 'again 3', paymentReference: (await order()).reference }), {
      kind: 'unassigned',
      id: dismissed,
      isNew: false,
    })
    assert.equal((await paymentsOf(id)).length, 1)
    assert.equal((await paymentsOf(target.id)).length, 1)
  })

  test('a report that an operator has probably recorded by hand is left to an operator, once', async () => {
    const { id, reference } = await order()
    await tenant.fixtures.pay(tenant.id, id)
    const [manual] = await paymentsOf(id)
    const stripe = { provider: 'stripe', paymentReference: reference }
    const { note } = await open(await reportUnassigned({ ...stripe, reference: 'pi_1' }))
    assert.ok(note.startsWith(`Payment ${manual.id} over 125.00 EUR, recorded by hand`), note)
    assert.equal((await report({ ...stripe, reference: 'pi_1' })).isNew, false)
    assert.deepEqual(await refundsOf(id), [])
    // One payment by hand explains one report.
    assert.equal((await report({ ...stripe, reference: 'pi_2' })).kind, 'payment')
  })

  test('two concurrent reports of one payment, with and without a reference, are booked once', async () => {
    const { id, reference } = await order()
    const isLocked = Promise.withResolvers<void>()
    const proceed = Promise.withResolvers<void>()
    const vaults = new Vaults(installation.config.dataMasterKeys)
    const first = new DirectOperations(installation, tenant.id).write(async (tx) => {
      const booked = await bookPayment(tx, vaults.of(tx, tenant.id), tenant.id, {
        provider: 'bank_transfer',
        reference: 'at once',
        paymentReference: null,
        amount: Money.parse('125.00', 'EUR'),
        receivedAt: new Date(),
        payer: { name: null, iban: null },
        text: null,
      })
      isLocked.resolve()
      await proceed.promise
      return booked
    })
    await isLocked.promise
    const second = report({ reference: 'at once', paymentReference: reference })
    await until('the second report waits for the lock', async () => (await waitingForLocks(installation)) > 0)
    proceed.resolve()
    assert.deepEqual([(await first).isNew, (await second).isNew, (await second).kind], [true, false, 'unassigned'])
    assert.equal(await statusOf(id), 'ORDERED')
  })

  test('suggestions are orders on which exactly this amount is outstanding, the most similar name first', async () => {
    const ownTenant = await TestTenant.create(installation, api)
    const named = (first: string, last: string) => ({
      ...individual,
      individual: { ...individual.individual, firstName: first, lastName: last },
    })
    const offering = await ownTenant.fixtures.offering(ownTenant.id)
    const accounts = [
      await ownTenant.account(named('Grace', 'Hopper')),
      await ownTenant.account(named('Zoé', 'Müller')),
      await ownTenant.account(named('Zoltan', 'Mueller')),
    ]
    const orders: string[] = []
    for (const account of accounts) orders.push(await ownTenant.order(offering, account))
    await ownTenant.order(offering, accounts[1] as string, '2000000000')
    const asked = { amount: Money.parse('125.00', 'EUR'), payerName: 'MULLER ZOE' }
    const [suggestions = []] = await new DirectOperations(installation, ownTenant.id).write((tx) =>
      suggestOrders(tx, ownTenant.id, [asked]),
    )
    assert.deepEqual(
      suggestions.map(({ order_id: orderId }) => orderId),
      [orders[1], orders[2], orders[0]],
    )
    assert.equal(suggestions[0]?.account_name, 'Zoé Müller')
    assert.match(suggestions[0]?.payment_reference ?? '', /^RF/)
    assert.equal(suggestions[0]?.why, 'Exactly this amount is missing, and the names are 100 % similar.')
  })

  test('a payment with a fraction of a minor unit is shown and dismissed; its amount matches no order', async () => {
    await order()
    const paymentId = await reportUnassigned({ amount: '125.005' })
    const shown = await operator.get(`/unassigned-payments/${paymentId}`)
    assert.deepEqual([shown.status, shown.body.amount, shown.body.suggestions], [200, '125.005', []], shown.text)
    const dismissed = await operator.post(`/unassigned-payments/${paymentId}/dismiss`, { reason: 'sent back' })
    assert.equal(dismissed.status, 200, dismissed.text)
  })

  test('an assigned payment is booked like any other, and the decision cannot be changed', async () => {
    const { id } = await order()
    const paymentId = await reportUnassigned({
      amount: '130.00',
      payer: { name: 'Ada', iban: 'DE02120300000000202051' },
    })
    const listed = await open(paymentId)
    assert.deepEqual(
      [listed.amount, listed.payer_name, listed.payer_iban, listed.text, listed.status],
      ['130.00', 'Ada', 'DE02…2051', 'for my tokens', 'open'],
    )
    const shown = await operator.post(`/unassigned-payments/${paymentId}/reveal`)
    assert.deepEqual(shown.body, { payer_name: 'Ada', payer_iban: 'DE02120300000000202051' })
    const [change] = await recordedChanges(installation, paymentId)
    assert.deepEqual([change?.action, change?.actor_id], ['unassigned_payment.revealed', operator.who.userId])
    const assign = (orderId: string) => operator.post(`/unassigned-payments/${paymentId}/assign`, { order_id: orderId })
    assertError(await assign(crypto.randomUUID()), 404, 'not_found')
    const done = await assign(id)
    assert.deepEqual([done.status, done.body.status, done.body.order_id], [200, 'assigned', id])
    assert.equal(await statusOf(id), 'PAID')
    assert.equal((await refundsOf(id))[0].amount, '5.00')
    assert.equal((await assign(id)).text, done.text)
    assertError(await assign((await order()).id), 409, 'unassigned_payment_not_open')
    const dismiss = await operator.post(`/unassigned-payments/${paymentId}/dismiss`, { reason: 'x' })
    assertError(dismiss, 409, 'unassigned_payment_not_open')
    assert.equal((await paymentsOf(id)).length, 1)
  })

  test('a payment in another currency can be dismissed but not assigned', async () => {
    const paymentId = await reportUnassigned({ currency: 'USD' })
    const { id } = await order()
    const rejected = await operator.post(`/unassigned-payments/${paymentId}/assign`, { order_id: id })
    assertError(rejected, 409, 'payment_currency_mismatch')
    const done = await operator.post(`/unassigned-payments/${paymentId}/dismiss`, { reason: 'sent back by the bank' })
    assert.deepEqual([done.body.status, done.body.dismissal_reason], ['dismissed', 'sent back by the bank'])
    const { results } = (await operator.get('/unassigned-payments?status=dismissed&limit=50')).body
    assert.ok(results.some((one: { id: string }) => one.id === paymentId))
    assert.equal(await open(paymentId), undefined)
  })

  test('the name, IBAN and text of a payer are encrypted in the database', async () => {
    await reportUnassigned({
      payer: { name: 'Canary Nightingale', iban: 'FR7630006000011234567890189' },
      text: 'canary text',
    })
    const rows = await installation.rows<{ row: string }>(
      `select row_to_json(unassigned_payment)::text || encode(payer, 'escape') as row from cell.unassigned_payment
         union all select data::text from cell.event_outbox`,
    )
    for (const { row } of rows) assert.doesNotMatch(row, /canary|nightingale|FR76/i)
  })

  test('name similarity ignores word order, case and accents', () => {
    assert.equal(nameSimilarity('Zoé Müller', 'MULLER, ZOE'), 1)
    assert.ok(nameSimilarity('Ada Lovelace', 'Ada Lovelase') > 0.7)
    assert.equal(nameSimilarity('Ada', ''), 0)
  })
})
