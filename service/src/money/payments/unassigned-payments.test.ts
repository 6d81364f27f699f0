import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../../../test/harness/api-client.ts'
import { individual } from '../../../test/harness/bodies.ts'
import { tellOfMoney } from '../../../test/harness/incoming-money.ts'
import { DirectOperations } from '../../../test/harness/operations.ts'
import { OperatorClient } from '../../../test/harness/operator-client.ts'
import { type RunningApi, TestInstallation } from '../../../test/harness/service.ts'
import { TestTenant } from '../../../test/harness/tenant.ts'
import { until, waitingForLocks } from '../../../test/harness/wait.ts'
import { Vaults } from '../../platform/db/vault.ts'
import { bookMoney, type IncomingMoney } from './book-money.ts'
import { nameLikeness } from './name-likeness.ts'

describe('money that fits no order', () => {
  let installation: TestInstallation
  let api: RunningApi
  let tenant: TestTenant
  let operator: OperatorClient
  let accountId: string
  let offeringId: string

  before(async () => {
    installation = await TestInstallation.create()
    const [integratorApi, operatorApi] = await Promise.all([installation.startApi(), installation.startOperatorApi()])
    api = integratorApi
    tenant = await TestTenant.create(installation, api)
    operator = await OperatorClient.create(installation, operatorApi, tenant.id)
    accountId = await tenant.account()
    offeringId = await tenant.fixtures.offering(tenant.id)
  })
  after(() => installation.end())

  const order = async (offering = offeringId, account = accountId) => {
    const id = await tenant.order(offering, account)
    return { id, reference: String((await operator.get(`/orders/${id}`)).body.payment_reference) }
  }
  const tell = (change: Partial<IncomingMoney>) => tellOfMoney(installation, tenant.id, change)
  const statusOf = async (id: string) => (await operator.get(`/orders/${id}`)).body.status
  const open = async (paymentId: string) => {
    const { results } = (await operator.get('/unassigned-payments?status=open&limit=50')).body
    return results.find(({ id }: { id: string }) => id === paymentId)
  }
  const waiting = async (change: Partial<IncomingMoney>): Promise<string> => {
    const booked = await tell(change)
    assert.equal(booked.kind, 'unassigned')
    return booked.kind === 'unassigned' ? booked.id : ''
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
      assert.deepEqual(await tell(write(reference)), { kind: 'payment', orderId: id, isNew: true })
      assert.equal(await statusOf(id), 'PAID')
    })

  test('a reference from before the check digits finds its order', async () => {
    const { id } = await order()
    await installation.owner((client) =>
      client.query(`update cell.token_order set payment_reference = 'IT0123456789ABCDEF' where id = $1`, [id]),
    )
    assert.deepEqual(await tell({ text: 'it 0123-4567-89ab-cdef' }), { kind: 'payment', orderId: id, isNew: true })
  })

  test('a typing error, two orders named, or another currency: nobody guesses, it waits', async () => {
    const [one, other] = [await order(), await order()]
    const dollars = await order(await tenant.fixtures.offering(tenant.id, { currency: 'USD' }))
    const mistyped = one.reference.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    await waiting({ paymentReference: mistyped })
    await waiting({ text: `${one.reference} and ${other.reference}` })
    await waiting({ paymentReference: one.reference, text: other.reference })
    await waiting({ paymentReference: dollars.reference })
    for (const { id } of [one, other, dollars]) assert.equal(await statusOf(id), 'ORDERED')
  })

  test('the order of another tenant is not found by its reference', async () => {
    const stranger = await TestTenant.create(installation, api)
    const { reference } = await order()
    const booked = await tellOfMoney(installation, stranger.id, { paymentReference: reference })
    assert.equal(booked.kind, 'unassigned')
  })

  test('the same money again changes nothing: as a payment, while it waits, once assigned, once dismissed', async () => {
    const { id, reference } = await order()
    const told = { reference: 'again 1', paymentReference: reference }
    await tell(told)
    assert.deepEqual(await tell({ ...told, amount: '1.00' }), { kind: 'payment', orderId: id, isNew: false })
    const paymentId = await waiting({ reference: 'again 2' })
    assert.deepEqual(await tell({ reference: 'again 2' }), { kind: 'unassigned', id: paymentId, isNew: false })
    const target = await order()
    await operator.post(`/unassigned-payments/${paymentId}/assign`, { order_id: target.id })
    assert.deepEqual(await tell({ reference: 'again 2' }), { kind: 'payment', orderId: target.id, isNew: false })
    const dismissed = await waiting({ reference: 'again 3' })
    await operator.post(`/unassigned-payments/${dismissed}/dismiss`, { reason: 'interest' })
    assert.deepEqual(await tell({ reference: 'again 3', paymentReference: (await order()).reference }), {
      kind: 'unassigned',
      id: dismissed,
      isNew: false,
    })
    assert.equal((await operator.get(`/orders/${id}/payments`)).body.pagination.count, 1)
    assert.equal((await operator.get(`/orders/${target.id}/payments`)).body.pagination.count, 1)
  })

  test('told twice at once, once with an order to find and once without: it is one', async () => {
    const { id, reference } = await order()
    const isHeld = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const vaults = new Vaults(installation.config.dataMasterKeys)
    const first = new DirectOperations(installation, tenant.id).write(async (tx) => {
      const booked = await bookMoney(tx, vaults.of(tx, tenant.id), tenant.id, {
        provider: 'bank_transfer',
        reference: 'at once',
        paymentReference: null,
        amount: '125.00',
        currency: 'EUR',
        receivedAt: new Date(),
        payer: { name: null, iban: null },
        text: null,
      })
      isHeld.resolve()
      await goOn.promise
      return booked
    })
    await isHeld.promise
    const second = tell({ reference: 'at once', paymentReference: reference })
    await until('the second waits for the first', async () => (await waitingForLocks(installation)) > 0)
    goOn.resolve()
    assert.deepEqual([(await first).isNew, (await second).isNew, (await second).kind], [true, false, 'unassigned'])
    assert.equal(await statusOf(id), 'ORDERED')
  })

  test('suggestions are open orders that miss exactly this amount, the likeliest name first', async () => {
    const apart = await TestTenant.create(installation, api)
    const named = (first: string, last: string) => ({
      ...individual,
      individual: { ...individual.individual, firstName: first, lastName: last },
    })
    const offering = await apart.fixtures.offering(apart.id)
    const accounts = [
      await apart.account(named('Grace', 'Hopper')),
      await apart.account(named('Zoé', 'Müller')),
      await apart.account(named('Zoltan', 'Mueller')),
    ]
    const orders: string[] = []
    for (const account of accounts) orders.push(await apart.order(offering, account))
    await apart.order(offering, accounts[1] as string, '2000000000')
    await tellOfMoney(installation, apart.id, { payer: { name: 'MULLER ZOE', iban: null } })
    const operatorApi = await installation.operatorApi()
    const { results } = await operatorApi.call(apart.id, 'GET', '/unassigned-payments')
    const { suggestions } = results[0]
    assert.deepEqual(
      suggestions.map(({ order_id: orderId }: { order_id: string }) => orderId),
      [orders[1], orders[2], orders[0]],
    )
    assert.equal(suggestions[0].account_name, 'Zoé Müller')
    assert.match(suggestions[0].payment_reference, /^RF/)
    assert.equal(suggestions[0].why, 'Exactly this amount is missing, and the names are 100 % alike.')
  })

  test('assigned it is a payment like any other; a second decision is refused, the same one changes nothing', async () => {
    const { id } = await order()
    const paymentId = await waiting({ amount: '130.00', payer: { name: 'Ada', iban: 'DE02120300000000202051' } })
    const seen = await open(paymentId)
    assert.deepEqual(
      [seen.amount, seen.payer_name, seen.payer_iban, seen.text, seen.status],
      ['130.00', 'Ada', 'DE02120300000000202051', 'for my tokens', 'open'],
    )
    const assign = (orderId: string) => operator.post(`/unassigned-payments/${paymentId}/assign`, { order_id: orderId })
    assertError(await assign(crypto.randomUUID()), 404, 'not_found')
    const done = await assign(id)
    assert.deepEqual([done.status, done.body.status, done.body.order_id], [200, 'assigned', id])
    assert.equal(await statusOf(id), 'PAID')
    assert.equal((await operator.get(`/refunds?order_id=${id}`)).body.results[0].amount, '5.00')
    assert.equal((await assign(id)).text, done.text)
    assertError(await assign((await order()).id), 409, 'unassigned_payment_not_open')
    const dismiss = await operator.post(`/unassigned-payments/${paymentId}/dismiss`, { reason: 'x' })
    assertError(dismiss, 409, 'unassigned_payment_not_open')
    assert.equal((await operator.get(`/orders/${id}/payments`)).body.pagination.count, 1)
  })

  test('another currency cannot be assigned; dismissed, it stays listed with the reason', async () => {
    const paymentId = await waiting({ currency: 'USD' })
    const { id } = await order()
    const refused = await operator.post(`/unassigned-payments/${paymentId}/assign`, { order_id: id })
    assertError(refused, 409, 'payment_currency_mismatch')
    const done = await operator.post(`/unassigned-payments/${paymentId}/dismiss`, { reason: 'sent back by the bank' })
    assert.deepEqual([done.body.status, done.body.dismissal_reason], ['dismissed', 'sent back by the bank'])
    const { results } = (await operator.get('/unassigned-payments?status=dismissed&limit=50')).body
    assert.ok(results.some((one: { id: string }) => one.id === paymentId))
    assert.equal(await open(paymentId), undefined)
  })

  test('who paid and what they wrote cannot be read in the database', async () => {
    await waiting({ payer: { name: 'Canary Nightingale', iban: 'FR7630006000011234567890189' }, text: 'canary text' })
    const { rows } = await installation.owner((client) =>
      client.query<{ row: string }>(
        `select row_to_json(unassigned_payment)::text || encode(payer, 'escape') as row from cell.unassigned_payment
         union all select data::text from cell.event_outbox`,
      ),
    )
    for (const { row } of rows) assert.doesNotMatch(row, /canary|nightingale|FR76/i)
  })

  test('names are alike whatever the order of their words, their case and their accents', () => {
    assert.equal(nameLikeness('Zoé Müller', 'MULLER, ZOE'), 1)
    assert.ok(nameLikeness('Ada Lovelace', 'Ada Lovelase') > 0.7)
    assert.equal(nameLikeness('Ada', ''), 0)
  })
})
