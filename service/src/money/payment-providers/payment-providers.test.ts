import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OperatorClient } from '../../../test/harness/callers/operator-client.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { type ApiResponse, assertError, assertInvalid } from '../../../test/harness/installation/api-client.ts'
import { useOwnApis } from '../../../test/harness/installation/running-installation.ts'
import { createPaymentDesk } from '../../../test/harness/money/payment-desk.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import {
  createProvider,
  standardHeaders,
  stripeHeaders,
  stripeSecret,
} from '../../../test/harness/servers/payment-provider.ts'
import { until } from '../../../test/harness/wait.ts'

describe('payment providers', async () => {
  const running = await useOwnApis()
  const { installation, api, operatorApi } = running
  const desk = await createPaymentDesk(running, 'admin')
  const { tenant, operator: admin, offeringId, order, readOrder: read, paymentsOf } = desk
  const stripe = await createProvider(installation, tenant.id, { kind: 'stripe', secret: stripeSecret })
  const acme = await createProvider(installation, tenant.id, { kind: 'standard', name: 'acme-pay' })

  const send = (providerId: string, body: string | Uint8Array, headers: Record<string, string>): Promise<ApiResponse> =>
    api.call('POST', `/payment-notifications/${providerId}`, { body, headers })
  const sendStripe = (body: string, { id, secret } = stripe) => send(id, body, stripeHeaders(body, secret))
  const sendStandard = (body: string, { id, secret } = acme) => send(id, body, standardHeaders(body, secret))
  const unassigned = async (operator = admin) =>
    pluck((await operator.get('/unassigned-payments?status=open&limit=50')).body.results, 'provider_reference')
  const isUnassigned = async (reference: string, operator = admin) => (await unassigned(operator)).includes(reference)

  /** Builds an event as Stripe sends it, with members that we do not read. */
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
  const standardNotification = (reference: string, change: object = {}) =>
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

  test('a payment reported by Stripe pays its order, which shows the provider', async () => {
    const { id, reference } = await order()
    const body = stripeEvent(intent(reference, { id: 'pi_first' }))
    const response = await sendStripe(body)
    assert.deepEqual([response.status, response.body], [200, { outcome: 'booked' }], response.text)
    const paid = await read(id)
    assert.deepEqual(
      [paid.status, paid.paid_amount, paid.payment_provider, paid.paid_at],
      ['PAID', 125, 'stripe', '2026-07-02T10:00:00.000Z'],
    )
    const [payment] = await paymentsOf(id)
    assert.deepEqual([payment.provider, payment.provider_reference], ['stripe', 'pi_first'])
    assert.equal((await tenant.get(`/offerings/${offeringId}/orders/${id}`)).body.payment_provider, 'stripe')
  })

  test('a payment reported with a Standard Webhooks signature pays its order, under either path prefix', async () => {
    const { id, reference } = await order()
    const body = standardNotification(reference, { reference: 'A-1' })
    const headers = standardHeaders(body, acme.secret)
    const path = `/payment-notifications/${acme.id.toUpperCase()}`
    const response = await api.call('POST', path, { body, headers, prefix: '/_api' })
    assert.deepEqual([response.status, response.body], [200, { outcome: 'booked' }], response.text)
    const [payment] = await paymentsOf(id)
    assert.deepEqual([payment.provider, payment.provider_reference], ['checkout', 'acme-pay:A-1'])
    assert.deepEqual([(await read(id)).status, (await read(id)).payment_provider], ['PAID', 'checkout'])
  })

  test('altered, too old or new, wrong secret, unsigned, unknown provider: the same 401, nothing stored', async () => {
    const { id, reference } = await order()
    const other = await createProvider(installation, tenant.id)
    const disabled = await createProvider(installation, tenant.id)
    await admin.post(`/payment-providers/${disabled.id}/disable`)
    const body = stripeEvent(intent(reference))
    const standard = standardNotification(reference)
    const minutes = (count: number) => Date.now() + count * 60_000
    const responses = [
      await send(stripe.id, body.replace('12500', '12501'), stripeHeaders(body, stripe.secret)),
      await send(stripe.id, body, stripeHeaders(body, stripe.secret, minutes(-6))),
      await send(stripe.id, body, stripeHeaders(body, stripe.secret, minutes(6))),
      await send(stripe.id, body, stripeHeaders(body, 'whsec_wrong0123456789abcdef')),
      await send(stripe.id, body, {}),
      await send(stripe.id, standard, standardHeaders(standard, acme.secret)),
      await send(acme.id, standard.replace('125.00', '125.01'), standardHeaders(standard, acme.secret)),
      await send(acme.id, standard, standardHeaders(standard, acme.secret, minutes(-6))),
      await send(acme.id, standard, standardHeaders(standard, other.secret)),
      await sendStandard(standard, disabled),
      await send(crypto.randomUUID(), standard, standardHeaders(standard, acme.secret)),
      await send(crypto.randomUUID(), 'not even JSON', {}),
      await send('no-uuid', standard, {}),
    ]
    for (const [index, response] of responses.entries()) {
      assertError(response, 401, 'signature_invalid')
      assert.equal(response.text, responses[0]?.text, `response ${index}`)
      assert.equal(response.headers.get('www-authenticate'), 'Signature')
    }
    assert.deepEqual([(await read(id)).status, await paymentsOf(id)], ['ORDERED', []])
    assert.ok(!(await isUnassigned(JSON.parse(body).data.object.id)))
  })

  test('400 for a signed body that is no notification, 413 before the signature check if too large', async () => {
    const countBefore = (await unassigned()).length
    for (const body of ['{', 'null', '[]', '{}', '{"type":1}', '{"type":"payment.received"}',
      standardNotification('x', { amount: '0.00' }),
      standardNotification('x', { amount: 12.5 }), standardNotification('x', { currency: 'eur' }),
      standardNotification('x', { more: 1 }),
      standardNotification('x', { reference: '\u0000' })]) // biome-ignore format: a list reads better dense
      assertInvalid(await sendStandard(body))
    for (const object of [{ id: 'ch_1' }, { amount_received: 0 }, { amount_received: 1.5 }, { currency: 'euro' }]) {
      const body = stripeEvent(intent('x', object))
      assertInvalid(await sendStripe(body))
    }
    const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x7d])
    assertInvalid(await send(acme.id, bytes, standardHeaders(bytes.toString(), acme.secret)))
    const large = standardNotification('x'.repeat(70_000))
    assertError(await sendStandard(large), 413, 'payload_too_large')
    const typed = standardNotification('x')
    const headers = { ...standardHeaders(typed, acme.secret), 'content-type': 'text/plain' }
    assertError(await send(acme.id, typed, headers), 415, 'unsupported_media_type')
    assert.equal((await unassigned()).length, countBefore)
  })

  test('events of other types are accepted and ignored', async () => {
    for (const type of ['payment_intent.created', 'charge.refunded', 'charge.dispute.created']) {
      const body = stripeEvent({ id: 'x' }, type)
      const response = await sendStripe(body)
      assert.deepEqual([response.status, response.body], [200, { outcome: 'ignored' }])
    }
    const body = JSON.stringify({ type: 'payment.failed', data: {} })
    assert.deepEqual((await sendStandard(body)).body, { outcome: 'ignored' })
  })

  test('Stripe amounts in currencies with zero or three decimals, and where Stripe differs from ISO 4217', async () => {
    for (const [currency, received, amount] of [
      ['JPY', 1250, '1250'],
      ['KWD', 12_500, '12.500'],
      ['ISK', 125_000, '1250'],
    ] as const) {
      const { id, reference } = await order(undefined, await tenant.fixtures.offering(tenant.id, { currency }))
      const body = stripeEvent(intent(reference, { amount_received: received, currency: currency.toLowerCase() }))
      const response = await sendStripe(body)
      assert.equal(response.body.outcome, 'booked', response.text)
      const [payment] = await paymentsOf(id)
      assert.deepEqual([payment.amount, payment.currency], [amount, currency])
    }
  })

  test('the same notification sent 100 times concurrently is one payment', async () => {
    const { id, reference } = await order()
    const body = stripeEvent(intent(reference))
    const once = () => sendStripe(body)
    const responses = await Promise.all(Array.from({ length: 100 }, once))
    // At most 100 requests wait for a database connection; a provider that gets 503 sends the notification again.
    const statuses = new Set(responses.map(({ status }) => status))
    assert.ok(
      [...statuses].every((status) => status === 200 || status === 503),
      [...statuses].join(),
    )
    assert.deepEqual((await once()).body, { outcome: 'booked' })
    assert.equal((await paymentsOf(id)).length, 1)
    assert.deepEqual([(await read(id)).paid_amount, (await read(id)).status], [125, 'PAID'])
    assert.deepEqual(await desk.refundsOf(id), [])
    const withoutReference = stripeEvent(intent(undefined))
    for (const _ of [1, 2])
      assert.deepEqual((await sendStripe(withoutReference)).body, {
        outcome: 'unassigned',
      })
    const reference2 = JSON.parse(withoutReference).data.object.id
    const found = (await unassigned()).filter((one: string) => one === reference2)
    assert.equal(found.length, 1)
  })

  test("another tenant's reference matches no order: the payment is unassigned in the provider's tenant", async () => {
    const otherTenant = await TestTenant.create(installation, api)
    const otherOperator = await OperatorClient.create(installation, operatorApi, otherTenant.id)
    const otherProvider = await createProvider(installation, otherTenant.id, { kind: 'stripe', secret: stripeSecret })
    const { id, reference } = await order()
    const paymentIntent = intent(reference)
    const body = stripeEvent(paymentIntent)
    const response = await sendStripe(body, otherProvider)
    assert.deepEqual(response.body, { outcome: 'unassigned' })
    assert.deepEqual([(await read(id)).status, await isUnassigned(paymentIntent.id)], ['ORDERED', false])
    assert.ok(await isUnassigned(paymentIntent.id, otherOperator))
    // The same payment sent to the right tenant is booked there.
    assert.deepEqual((await sendStripe(body)).body, { outcome: 'booked' })
  })

  test('after a rotation both secrets are valid; the old one expires after 24 hours or the next rotation', async () => {
    const provider = await createProvider(installation, tenant.id)
    const body = JSON.stringify({ type: 'ping' })
    const status = async (secret: string) => (await sendStandard(body, { id: provider.id, secret })).status
    const rotate = async (change = {}) => admin.post(`/payment-providers/${provider.id}/rotate`, change)
    const second = (await rotate()).body
    assert.ok(Math.abs(Date.parse(second.previous_secret_ends_at) - Date.now() - 86_400_000) < 60_000)
    assert.deepEqual([await status(provider.secret), await status(second.secret)], [200, 200])
    const third = (await rotate()).body
    assert.deepEqual(
      [await status(provider.secret), await status(second.secret), await status(third.secret)],
      [401, 200, 200],
    )
    await installation.rows('update cell.payment_provider set previous_secret_ends_at = now() where id = $1', [
      provider.id,
    ])
    assert.deepEqual([await status(second.secret), await status(third.secret)], [401, 200])
    assertInvalid(await rotate({ secret: stripeSecret }))
    assertInvalid(await admin.post(`/payment-providers/${stripe.id}/rotate`, {}))
    await admin.post(`/payment-providers/${provider.id}/disable`)
    assertError(await rotate(), 409, 'payment_provider_disabled')
    assert.equal(await status(third.secret), 401)
  })

  test('an admin creates a provider: its secret is shown once and stored encrypted, its name is unique', async () => {
    const other = await TestTenant.create(installation, api)
    const tenantAdmin = await OperatorClient.create(installation, operatorApi, other.id, 'admin')
    const created = await tenantAdmin.post('/payment-providers', { kind: 'standard', name: 'acme-pay' })
    assert.equal(created.status, 201, created.text)
    assert.match(created.body.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.equal(created.body.notification_path, `/api/payment-notifications/${created.body.id}`)
    assertError(
      await tenantAdmin.post('/payment-providers', { kind: 'standard', name: 'acme-pay' }),
      409,
      'payment_provider_exists',
    )
    const stripeProvider = await tenantAdmin.post('/payment-providers', { kind: 'stripe', secret: stripeSecret })
    assert.deepEqual([stripeProvider.body.name, stripeProvider.body.secret], ['stripe', null])
    for (const body of [{ kind: 'stripe' }, { kind: 'standard' }, { kind: 'standard', name: 'stripe' },
      { kind: 'standard', name: 'x', secret: stripeSecret }, { kind: 'stripe', secret: 'x' },
      { kind: 'stripe', name: 'y', secret: stripeSecret }]) // biome-ignore format: a list reads better dense
      assertInvalid(await tenantAdmin.post('/payment-providers', body))
    const listed = await tenantAdmin.get('/payment-providers')
    assert.equal(listed.body.pagination.count, 2)
    assert.ok(!listed.text.includes('whsec_'))
    const rows = await installation.rows('select secret from cell.payment_provider where tenant_id = $1', [other.id])
    for (const { secret } of rows) assert.ok(!secret.includes('whsec_'))
    assert.ok(![...operatorApi.process.output, ...api.process.output].join().includes('whsec_'))
    // The name of a disabled provider is free again.
    await tenantAdmin.post(`/payment-providers/${created.body.id}/disable`)
    assert.equal((await tenantAdmin.post('/payment-providers', { kind: 'standard', name: 'acme-pay' })).status, 201)
  })

  test('notifications are accepted once a worker has run; never for a disabled tenant', async () => {
    const other = await TestTenant.create(installation, api)
    const tenantAdmin = await OperatorClient.create(installation, operatorApi, other.id, 'admin')
    const { body: provider } = await tenantAdmin.post('/payment-providers', { kind: 'standard', name: 'acme-pay' })
    const body = JSON.stringify({ type: 'ping' })
    const status = async () => (await sendStandard(body, provider)).status
    assert.equal(await status(), 401)
    await installation.startWorker()
    await until('notifications are accepted', async () => (await status()) === 200)
    await installation.rows('update directory.tenant set disabled_at = now() where id = $1', [other.id])
    assert.equal(await status(), 401)
  })
})
