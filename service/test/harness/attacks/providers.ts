import { confirmAs } from '../callers/second-person.ts'
import { company, individual } from '../data/bodies.ts'
import { createTestKycProvider, sumsubHeaders, sumsubSecret } from '../servers/kyc-provider.ts'
import { createProvider, standardHeaders, stripeHeaders, stripeSecret } from '../servers/payment-provider.ts'
import { until } from '../wait.ts'
import type { Attack } from './attack.ts'

/** The stack runs in development, where only test payments may count; in live it is the reverse. */
export const foreignStripeMode: Attack = {
  name: "a Stripe payment of the other mode than the environment's",
  isShort: true,
  run: async (stack) => {
    const tenant = await stack.tenant()
    const admin = await stack.user(tenant)
    const { orderId, reference } = await stack.order(tenant)
    const provider = await createProvider(stack.installation, tenant.id, { kind: 'stripe', secret: stripeSecret })
    const body = stripePayment(reference, { livemode: true, created: 1_782_986_400 })
    const headers = stripeHeaders(body, provider.secret)
    const path = `/payment-notifications/${provider.id}`
    const { status } = await (await stack.api()).call('POST', path, { body, headers })
    const payments = (await admin.get(`/orders/${orderId}/payments`)).body.pagination.count
    return { isDefended: payments === 0, observed: `the response is ${status}, and ${payments} payments were booked` }
  },
}

/** The attacker knows the address of the tenant's webhook and wants an account approved that the provider rejected. */
export const forgedKycNotification: Attack = {
  name: 'a forged, altered or replayed KYC notification approves an account',
  isShort: true,
  run: async (stack) => {
    const tenant = await stack.tenant()
    const admin = await stack.user(tenant)
    const api = await stack.api()
    const accountId = await tenant.account()
    const sumsub = { kind: 'sumsub', secret: sumsubSecret, approvals: 'apply' }
    const provider = await createTestKycProvider(stack.installation, tenant.id, sumsub)
    const payments = await createProvider(stack.installation, tenant.id)
    const person = { applicantType: 'individual', levelName: 'basic-kyc-level' }
    const review = (reviewAnswer: string, at: Date) => reviewOf(accountId, { reviewAnswer, at, ...person })
    const send = async (id: string, body: string, headers: Record<string, string>) => {
      const { status, body: result } = await api.call('POST', `/kyc-notifications/${id}`, { body, headers })
      return result.outcome ?? status
    }
    const now = Date.now()
    const old = review('GREEN', new Date(now - 120_000))
    const rejection = review('RED', new Date(now - 60_000))
    const forged = review('GREEN', new Date(now))
    const signed = sumsubHeaders(rejection, sumsubSecret)
    const seen = [
      await send(provider.id, rejection, signed),
      await send(provider.id, forged, signed),
      await send(provider.id, rejection.replace('RED', 'GREEN'), signed),
      await send(provider.id, forged, sumsubHeaders(forged, payments.secret)),
      await send(provider.id, forged, { ...sumsubHeaders(forged, sumsubSecret, 'sha1') }),
      await send(provider.id, forged, {}),
      await send(payments.id, forged, standardHeaders(forged, payments.secret)),
      // Signed by the provider, before the rejection.
      await send(provider.id, old, sumsubHeaders(old, sumsubSecret)),
    ]
    const { status } = (await admin.get(`/accounts/${accountId}`)).body.kyc
    return {
      isDefended: status === 'NEW',
      observed: `the responses are ${seen.join(', ')}; kyc of the account is ${status}`,
    }
  },
}

/** Returns Stripe's notification of a payment of 125.00 EUR. */
function stripePayment(reference: string, of: { livemode: boolean; created: number }): string {
  const object = {
    object: 'payment_intent',
    id: `pi_${crypto.randomUUID().replaceAll('-', '')}`,
    status: 'succeeded',
    amount_received: 12_500,
    currency: 'eur',
    metadata: { payment_reference: reference },
  }
  return JSON.stringify({ id: 'evt_1', object: 'event', type: 'payment_intent.succeeded', data: { object }, ...of })
}

const secrets = {
  stripe: 'whsec_RealSecretOfStripe0123456789abcdef',
  rotated: 'whsec_TheNewRealSecretOfStripe0123456789',
  sumsub: 'RealSecretOfSumsub0123456789',
}

/** A person who may only read wants to sign as the tenant's payment provider, and as its KYC provider. */
export const readProviderSecret: Attack = {
  name: 'a viewer reads the signing secret of a provider in its proposal, and forges a payment and an approval',
  isShort: true,
  run: async (stack) => {
    const tenant = await stack.tenant()
    await stack.worker()
    const { reference } = await stack.order(tenant)
    await stack.installation.useDefaultPolicies(tenant.id)
    const [api, integrators, admin] = [await stack.operatorApi(), await stack.api(), await stack.user(tenant)]
    const viewer = await stack.user(tenant, 'viewer')
    const second = await stack.installation.createOperator(tenant.id)
    const seen: Record<string, unknown> = {}
    const proposedBody = async (approvalId: string) =>
      (await viewer.get(`/approvals/${approvalId}`)).body.request.body?.secret

    const stripe = await admin.post('/payment-providers', { kind: 'stripe', secret: secrets.stripe })
    seen['waiting'] = await proposedBody(stripe.body.approval_id)
    const provider = (await confirmAs(api, second, stripe)).body.result
    seen['confirmed'] = await proposedBody(stripe.body.approval_id)
    const rotation = await admin.post(`/payment-providers/${provider.id}/rotate`, { secret: secrets.rotated })
    await admin.post(`/approvals/${rotation.body.approval_id}/withdraw`)
    seen['withdrawn rotation'] = await proposedBody(rotation.body.approval_id)
    const sumsub = await admin.post('/kyc-providers', {
      kind: 'sumsub',
      name: 'sumsub',
      secret: secrets.sumsub,
      approvals: 'apply',
    })
    const kyc = (await confirmAs(api, second, sumsub)).body.result
    seen['sumsub'] = await proposedBody(sumsub.body.approval_id)

    const payment = stripePayment(reference, { livemode: false, created: Math.floor(Date.now() / 1000) })
    const forge = (path: string, body: string, headers: Record<string, string>) =>
      integrators.call('POST', path.replace(/^\/api/, ''), { body, headers })
    // The API learns of the providers a moment after they are confirmed.
    await until('the provider is known', async () => {
      const ping = JSON.stringify({ type: 'ping' })
      return (await forge(provider.notification_path, ping, stripeHeaders(ping, secrets.stripe))).status !== 401
    })
    const paid = await forge(provider.notification_path, payment, stripeHeaders(payment, String(seen['confirmed'])))
    const review = JSON.stringify({ type: 'applicantPending' })
    const approved = await forge(kyc.notification_path, review, sumsubHeaders(review, String(seen['sumsub'])))
    const known = Object.values(secrets)
    return {
      isDefended:
        Object.values(seen).every((text) => !known.includes(String(text))) &&
        paid.status === 401 &&
        approved.status === 401,
      observed: `${JSON.stringify(seen)}; forged payment ${paid.status}, forged KYC notification ${approved.status}`,
    }
  },
}

interface Review {
  readonly reviewAnswer: string
  readonly at: Date
  readonly levelName: string
  readonly applicantType: string
}

/** Returns Sumsub's notification that an applicant was reviewed. */
function reviewOf(accountId: string, review: Review): string {
  const { reviewAnswer, at, ...applicant } = review
  return JSON.stringify({
    type: 'applicantReviewed',
    applicantId: crypto.randomUUID(),
    externalUserId: accountId,
    sandboxMode: true,
    createdAtMs: at.toISOString().replace('T', ' ').replace('Z', ''),
    reviewResult: { reviewAnswer },
    ...applicant,
  })
}

/** A company passes as checked after its clerk has verified a phone number at the provider. */
export const reviewOfAnyLevel: Attack = {
  name: 'a KYC review of another level, or of a person, approves a company',
  isShort: true,
  run: async (stack) => {
    const [tenant, api] = [await stack.tenant(), await stack.api()]
    const admin = await stack.user(tenant)
    // Simulates a tenant from before levels existed, which has none.
    const settings = { kind: 'sumsub', secret: sumsubSecret, approvals: 'apply', kyc_levels: [], kyb_levels: [] }
    const provider = await createTestKycProvider(stack.installation, tenant.id, settings)
    const tries = [
      [
        'a company after the review of a person',
        company,
        { applicantType: 'individual', levelName: 'basic-kyc-level' },
      ],
      ['a person after a phone check', individual, { applicantType: 'individual', levelName: 'phone-and-email-only' }],
      ['a person after a questionnaire', individual, { applicantType: 'individual', levelName: 'source-of-funds' }],
    ] as const
    const seen: [what: string, status: string][] = []
    for (const [what, body, review] of tries) {
      const accountId = await tenant.account(body)
      const note = reviewOf(accountId, { reviewAnswer: 'GREEN', at: new Date(), ...review })
      const path = `/kyc-notifications/${provider.id}`
      const sent = await api.call('POST', path, { body: note, headers: sumsubHeaders(note, sumsubSecret) })
      if (sent.status !== 200) throw new Error(sent.text)
      const { kyc, kyb } = (await admin.get(`/accounts/${accountId}`)).body
      seen.push([what, body === company ? kyb.status : kyc.status])
    }
    return {
      isDefended: seen.every(([, status]) => status !== 'APPROVED'),
      observed: seen.map(([what, status]) => `${what}: ${status}`).join(', '),
    }
  },
}
