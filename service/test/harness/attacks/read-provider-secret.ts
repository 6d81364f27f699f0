import { OperatorClient } from '../callers/operator-client.ts'
import { confirmAs } from '../callers/second-person.ts'
import { sumsubHeaders } from '../servers/kyc-provider.ts'
import { stripeHeaders } from '../servers/payment-provider.ts'
import { until } from '../wait.ts'
import type { Attack } from './attack.ts'

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
    const offeringId = await tenant.fixtures.offering(tenant.id)
    const accountId = await tenant.account()
    const orderId = await tenant.order(offeringId, accountId)
    await stack.installation.useDefaultPolicies(tenant.id)
    const [api, integrators, admin] = [await stack.operatorApi(), await stack.api(), await stack.admin(tenant)]
    const viewer = await OperatorClient.create(stack.installation, api, tenant.id, 'viewer')
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

    const { payment_reference } = (await viewer.get(`/orders/${orderId}`)).body
    const payment = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      livemode: false,
      created: Math.floor(Date.now() / 1000),
      type: 'payment_intent.succeeded',
      data: {
        object: {
          object: 'payment_intent',
          status: 'succeeded',
          currency: 'eur',
          id: 'pi_forged',
          amount_received: 12500,
          metadata: { payment_reference },
        },
      },
    })
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
