import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, assertError } from '../../../test/harness/api-client.ts'
import { OperatorClient } from '../../../test/harness/operator-client.ts'
import {
  createProvider,
  standardHeaders,
  stripeHeaders,
  stripeSecret,
  type TestProvider,
} from '../../../test/harness/payment-provider.ts'
import { type RunningApi, TestInstallation } from '../../../test/harness/service.ts'
import { TestTenant } from '../../../test/harness/tenant.ts'
import { until } from '../../../test/harness/wait.ts'
import { isSignedByStripe } from './stripe-signature.ts'

describe('payment providers', () => {
  let installation: TestInstallation
  let api: RunningApi
  let operatorApi: RunningApi
  let tenant: TestTenant
  let admin: OperatorClient
  let accountId: string
  let offeringId: string
  let stripe: TestProvider
  let acme: TestProvider

  before(async () => {
    installation = await TestInstallation.create()
    ;[api, operatorApi] = await Promise.all([installation.startApi(), installation.startOperatorApi()])
    tenant = await TestTenant.create(installation, api)
    admin = await OperatorClient.create(installation, operatorApi, tenant.id, 'admin')
    accountId = await tenant.account()
    offeringId = await tenant.fixtures.offering(tenant.id)
    stripe = await createProvider(installation, tenant.id, { kind: 'stripe', secret: stripeSecret })
    acme = await createProvider(installation, tenant.id, { kind: 'standard', name: 'acme-pay' })
  })
  after(() => installation.end())

  const send = (providerId: string, body: string | Uint8Array, headers: Record<string, string>): Promise<Answer> =>
    api.call('POST', `/payment-notices/${providerId}`, { body, headers })
  const order = async (offering = offeringId) => {
    const id = await tenant.order(offering, accountId)
    return { id, reference: (await read(id)).payment_reference as string }
  }
  const read = async (id: string) => (await admin.get(`/orders/${id}`)).body
  const paymentsOf = async (id: string) => (await admin.get(`/orders/${id}/payments`)).body.results
  const waiting = async (ofTenant = admin) =>
    (await ofTenant.get('/unassigned-payments?status=open&limit=50')).body.results
  const isWaiting = async (reference: string, ofTenant = admin) =>
    (await waiting(ofTenant)).some((one: Record<string, string>) => one['provider_reference'] === reference)

  /** As Stripe writes it, with members that we do not read. */
  const stripeEvent = (object: object, type = 'payment_intent.succeeded') =>
    JSON.stringify({
      id: 'evt_1',
      object: 'event',
      livemode: false,
      created: 1_782_986_400,
      type,
      data: { object: { object: 'payment_intent', status: 'succeeded', currency: 'eur', ...object } },
    })
  const intent = (reference: string | undefined, change: object = {}) => ({
    id: `pi_${crypto.randomUUID().replaceAll('-', '')}`,
    amount_received: 12_500,
    metadata: reference === undefined ? {} : { payment_reference: reference, more: 'x' },
    ...change,
  })
  const standardNotice = (reference: string, change: object = {}) =>
    JSON.stringify({
      type: 'payment.received',
      timestamp: '2026-07-02T10:00:05Z',
      data: {
        reference: crypto.randomUUID(),
        payment_reference: reference,
        amount: '125.00',
        currency: 'EUR',
        received_at: '2026-07-02T10:00:00.000Z',
        ...change,
      },
    })

  test('a payment that Stripe tells of pays its order, which shows who paid', async () => {
    const { id, reference } = await order()
    const body = stripeEvent(intent(reference, { id: 'pi_first' }))
    const answer = await send(stripe.id, body, stripeHeaders(body, stripe.secret))
    assert.deepEqual([answer.status, answer.body], [200, { outcome: 'booked' }], answer.text)
    const paid = await read(id)
    assert.deepEqual(
      [paid.status, paid.paid_amount, paid.payment_provider, paid.paid_at],
      ['PAID', 125, 'stripe', '2026-07-02T10:00:00.000Z'],
    )
    const [payment] = await paymentsOf(id)
    assert.deepEqual([payment.provider, payment.provider_reference], ['stripe', 'pi_first'])
    assert.equal((await tenant.get(`/offerings/${offeringId}/orders/${id}`)).body.payment_provider, 'stripe')
  })

  test('one that a provider with a standard signature tells of does too, behind either prefix', async () => {
    const { id, reference } = await order()
    const body = standardNotice(reference, { reference: 'A-1' })
    const headers = standardHeaders(body, acme.secret)
    const path = `/payment-notices/${acme.id.toUpperCase()}`
    const answer = await api.call('POST', path, { body, headers, prefix: '/_api' })
    assert.deepEqual([answer.status, answer.body], [200, { outcome: 'booked' }], answer.text)
    const [payment] = await paymentsOf(id)
    assert.deepEqual([payment.provider, payment.provider_reference], ['checkout', 'acme-pay:A-1'])
    assert.deepEqual([(await read(id)).status, (await read(id)).payment_provider], ['PAID', 'checkout'])
  })

  test("Stripe's scheme, by a vector from openssl: fresh, too old, too early, with more than one signature", () => {
    const body = Buffer.from('{"type":"payment_intent.succeeded","amount":1}')
    const v1 = 'b6386339405792e2204af0ec3da34c82c74751475269cecb2a9d1c4c0e2ed2b5'
    const at = (seconds: number) => new Date(1_782_986_400_000 + seconds * 1000)
    const is = (header: string, seconds = 0, secrets = ['whsec_vector0123456789abcdef']) =>
      isSignedByStripe({ headers: { 'stripe-signature': header }, body }, secrets, at(seconds))
    assert.ok(is(`t=1782986400,v1=${v1}`))
    assert.ok(is(`t=1782986400,v1=${'0'.repeat(64)},v1=${v1},v0=x`, 300))
    assert.ok(is(`t=1782986400, v1=${v1}`, -300, ['whsec_other', 'whsec_vector0123456789abcdef']))
    for (const [header, seconds] of [
      [`t=1782986400,v1=${v1}`, 301],
      [`t=1782986400,v1=${v1}`, -301],
      [`t=1782986401,v1=${v1}`, 0],
      [`t=1782986400,v0=${v1}`, 0],
      [`t=1782986400,v1=${v1.slice(2)}`, 0],
      [`v1=${v1}`, 0],
      ['t=1782986400,v1=', 0],
      ['t=1782986400', 0],
      ['', 0],
    ] as const)
      assert.ok(!is(header, seconds), `${header} ${seconds}`)
    assert.ok(!is(`t=1782986400,v1=${v1}`, 0, ['whsec_other']))
  })

  test('tampered, old, early, of a wrong secret, unsigned or for an unknown provider: one 401, nothing recorded', async () => {
    const { id, reference } = await order()
    const other = await createProvider(installation, tenant.id)
    const disabled = await createProvider(installation, tenant.id)
    await admin.post(`/payment-providers/${disabled.id}/disable`)
    const body = stripeEvent(intent(reference))
    const standard = standardNotice(reference)
    const minutes = (count: number) => Date.now() + count * 60_000
    const answers = [
      await send(stripe.id, body.replace('12500', '12501'), stripeHeaders(body, stripe.secret)),
      await send(stripe.id, body, stripeHeaders(body, stripe.secret, minutes(-6))),
      await send(stripe.id, body, stripeHeaders(body, stripe.secret, minutes(6))),
      await send(stripe.id, body, stripeHeaders(body, 'whsec_wrong0123456789abcdef')),
      await send(stripe.id, body, {}),
      await send(stripe.id, standard, standardHeaders(standard, acme.secret)),
      await send(acme.id, standard.replace('125.00', '125.01'), standardHeaders(standard, acme.secret)),
      await send(acme.id, standard, standardHeaders(standard, acme.secret, minutes(-6))),
      await send(acme.id, standard, standardHeaders(standard, other.secret)),
      await send(disabled.id, standard, standardHeaders(standard, disabled.secret)),
      await send(crypto.randomUUID(), standard, standardHeaders(standard, acme.secret)),
      await send(crypto.randomUUID(), 'not even JSON', {}),
      await send('no-uuid', standard, {}),
    ]
    for (const [index, answer] of answers.entries()) {
      assertError(answer, 401, 'signature_invalid')
      assert.equal(answer.text, answers[0]?.text, `answer ${index}`)
      assert.equal(answer.headers.get('www-authenticate'), 'Signature')
    }
    assert.deepEqual([(await read(id)).status, await paymentsOf(id)], ['ORDERED', []])
    assert.ok(!(await isWaiting(JSON.parse(body).data.object.id)))
  })

  test('what is signed and no notice is 400; what is too large is refused before it is looked at', async () => {
    const waitedBefore = (await waiting()).length
    for (const body of ['{', 'null', '[]', '{}', '{"type":1}', '{"type":"payment.received"}', standardNotice('x', { amount: '0.00' }),
      standardNotice('x', { amount: 12.5 }), standardNotice('x', { currency: 'eur' }), standardNotice('x', { more: 1 }),
      standardNotice('x', { reference: '\u0000' })]) // biome-ignore format: a list reads better dense
      assertError(await send(acme.id, body, standardHeaders(body, acme.secret)), 400, 'validation_failed')
    for (const object of [{ id: 'ch_1' }, { amount_received: 0 }, { amount_received: 1.5 }, { currency: 'euro' }]) {
      const body = stripeEvent(intent('x', object))
      assertError(await send(stripe.id, body, stripeHeaders(body, stripe.secret)), 400, 'validation_failed')
    }
    const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x7d])
    assertError(await send(acme.id, bytes, standardHeaders(bytes.toString(), acme.secret)), 400, 'validation_failed')
    const large = standardNotice('x'.repeat(70_000))
    assertError(await send(acme.id, large, standardHeaders(large, acme.secret)), 413, 'payload_too_large')
    const typed = standardNotice('x')
    const headers = { ...standardHeaders(typed, acme.secret), 'content-type': 'text/plain' }
    assertError(await send(acme.id, typed, headers), 415, 'unsupported_media_type')
    assert.equal((await waiting()).length, waitedBefore)
  })

  test('events of other types are taken and ignored', async () => {
    for (const type of ['payment_intent.created', 'charge.refunded', 'charge.dispute.created']) {
      const body = stripeEvent({ id: 'x' }, type)
      const answer = await send(stripe.id, body, stripeHeaders(body, stripe.secret))
      assert.deepEqual([answer.status, answer.body], [200, { outcome: 'ignored' }])
    }
    const body = JSON.stringify({ type: 'payment.failed', data: {} })
    assert.deepEqual((await send(acme.id, body, standardHeaders(body, acme.secret))).body, { outcome: 'ignored' })
  })

  test('currencies without coins, with thousandths, and those that Stripe counts in its own way', async () => {
    for (const [currency, received, amount] of [
      ['JPY', 1250, '1250'],
      ['KWD', 12_500, '12.500'],
      ['ISK', 125_000, '1250'],
    ] as const) {
      const { id, reference } = await order(await tenant.fixtures.offering(tenant.id, { currency }))
      const body = stripeEvent(intent(reference, { amount_received: received, currency: currency.toLowerCase() }))
      const answer = await send(stripe.id, body, stripeHeaders(body, stripe.secret))
      assert.equal(answer.body.outcome, 'booked', answer.text)
      const [payment] = await paymentsOf(id)
      assert.deepEqual([payment.amount, payment.currency], [amount, currency])
    }
  })

  test('told again, a hundred times at once, it is one payment', async () => {
    const { id, reference } = await order()
    const body = stripeEvent(intent(reference))
    const once = () => send(stripe.id, body, stripeHeaders(body, stripe.secret))
    const answers = await Promise.all(Array.from({ length: 100 }, once))
    // At most 100 wait for a database at a time; a provider that is told 503 sends again.
    const statuses = new Set(answers.map(({ status }) => status))
    assert.ok(
      [...statuses].every((status) => status === 200 || status === 503),
      [...statuses].join(),
    )
    assert.deepEqual((await once()).body, { outcome: 'booked' })
    assert.equal((await paymentsOf(id)).length, 1)
    assert.deepEqual([(await read(id)).paid_amount, (await read(id)).status], [125, 'PAID'])
    assert.deepEqual((await admin.get(`/refunds?order_id=${id}`)).body.results, [])
    const waitingOnce = stripeEvent(intent(undefined))
    for (const _ of [1, 2])
      assert.deepEqual((await send(stripe.id, waitingOnce, stripeHeaders(waitingOnce, stripe.secret))).body, {
        outcome: 'waiting',
      })
    const reference2 = JSON.parse(waitingOnce).data.object.id
    const found = (await waiting()).filter((one: Record<string, string>) => one['provider_reference'] === reference2)
    assert.equal(found.length, 1)
  })

  test("another tenant's reference is not found: it waits in the tenant of the endpoint, and never crosses", async () => {
    const stranger = await TestTenant.create(installation, api)
    const theirOperator = await OperatorClient.create(installation, operatorApi, stranger.id)
    const theirs = await createProvider(installation, stranger.id, { kind: 'stripe', secret: stripeSecret })
    const { id, reference } = await order()
    const mine = intent(reference)
    const body = stripeEvent(mine)
    const answer = await send(theirs.id, body, stripeHeaders(body, stripeSecret))
    assert.deepEqual(answer.body, { outcome: 'waiting' })
    assert.deepEqual([(await read(id)).status, await isWaiting(mine.id)], ['ORDERED', false])
    assert.ok(await isWaiting(mine.id, theirOperator))
    // The same money told to the right tenant is that tenant's.
    assert.deepEqual((await send(stripe.id, body, stripeHeaders(body, stripe.secret))).body, { outcome: 'booked' })
  })

  test('while a secret is changed both count; after a day, or when it is changed again, the old one does not', async () => {
    const provider = await createProvider(installation, tenant.id)
    const body = JSON.stringify({ type: 'ping' })
    const status = async (secret: string) => (await send(provider.id, body, standardHeaders(body, secret))).status
    const rotate = async (change = {}) => admin.post(`/payment-providers/${provider.id}/rotate`, change)
    const second = (await rotate()).body
    assert.ok(Math.abs(Date.parse(second.previous_secret_ends_at) - Date.now() - 86_400_000) < 60_000)
    assert.deepEqual([await status(provider.secret), await status(second.secret)], [200, 200])
    const third = (await rotate()).body
    assert.deepEqual(
      [await status(provider.secret), await status(second.secret), await status(third.secret)],
      [401, 200, 200],
    )
    await installation.owner((client) =>
      client.query('update cell.payment_provider set previous_ends_at = now() where id = $1', [provider.id]),
    )
    assert.deepEqual([await status(second.secret), await status(third.secret)], [401, 200])
    assertError(await rotate({ secret: stripeSecret }), 400, 'validation_failed')
    assertError(await admin.post(`/payment-providers/${stripe.id}/rotate`, {}), 400, 'validation_failed')
    await admin.post(`/payment-providers/${provider.id}/disable`)
    assertError(await rotate(), 409, 'payment_provider_disabled')
    assert.equal(await status(third.secret), 401)
  })

  test('a provider is made by an admin: the secret is shown once, is sealed, and the name is taken', async () => {
    const other = await TestTenant.create(installation, api)
    const boss = await OperatorClient.create(installation, operatorApi, other.id, 'admin')
    const created = await boss.post('/payment-providers', { kind: 'standard', name: 'acme-pay' })
    assert.equal(created.status, 201, created.text)
    assert.match(created.body.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.equal(created.body.notice_path, `/api/payment-notices/${created.body.id}`)
    assertError(
      await boss.post('/payment-providers', { kind: 'standard', name: 'acme-pay' }),
      409,
      'payment_provider_exists',
    )
    const ofStripe = await boss.post('/payment-providers', { kind: 'stripe', secret: stripeSecret })
    assert.deepEqual([ofStripe.body.name, ofStripe.body.secret], ['stripe', null])
    for (const body of [{ kind: 'stripe' }, { kind: 'standard' }, { kind: 'standard', name: 'stripe' },
      { kind: 'standard', name: 'x', secret: stripeSecret }, { kind: 'stripe', secret: 'x' },
      { kind: 'stripe', name: 'y', secret: stripeSecret }]) // biome-ignore format: a list reads better dense
      assertError(await boss.post('/payment-providers', body), 400, 'validation_failed')
    const listed = await boss.get('/payment-providers')
    assert.equal(listed.body.pagination.count, 2)
    assert.ok(!listed.text.includes('whsec_'))
    const { rows } = await installation.owner((client) =>
      client.query('select secret from cell.payment_provider where tenant_id = $1', [other.id]),
    )
    for (const { secret } of rows) assert.ok(!secret.includes('whsec_'))
    assert.ok(![...operatorApi.process.output, ...api.process.output].join().includes('whsec_'))
    // Disabled, it leaves its name to another one.
    await boss.post(`/payment-providers/${created.body.id}/disable`)
    assert.equal((await boss.post('/payment-providers', { kind: 'standard', name: 'acme-pay' })).status, 201)
  })

  test('the worker puts its id into the directory, and from then on notices are taken; a disabled tenant gets none', async () => {
    const other = await TestTenant.create(installation, api)
    const boss = await OperatorClient.create(installation, operatorApi, other.id, 'admin')
    const { body: provider } = await boss.post('/payment-providers', { kind: 'standard', name: 'acme-pay' })
    const body = JSON.stringify({ type: 'ping' })
    const status = async () => (await send(provider.id, body, standardHeaders(body, provider.secret))).status
    assert.equal(await status(), 401)
    await installation.startWorker()
    await until('notices are taken', async () => (await status()) === 200)
    await installation.owner((client) =>
      client.query('update directory.tenant set disabled_at = now() where id = $1', [other.id]),
    )
    assert.equal(await status(), 401)
  })
})
