import { createTestKycProvider, sumsubHeaders, sumsubSecret } from '../servers/kyc-provider.ts'
import { createProvider, standardHeaders } from '../servers/payment-provider.ts'
import type { Attack } from './attack.ts'

/** The attacker knows the address of the tenant's webhook and wants an account approved that the provider rejected. */
export const forgedKycNotification: Attack = {
  name: 'a forged, altered or replayed KYC notification approves an account',
  isShort: true,
  run: async (stack) => {
    const tenant = await stack.tenant()
    const admin = await stack.admin(tenant)
    const api = await stack.api()
    const accountId = await tenant.account()
    const sumsub = { kind: 'sumsub', secret: sumsubSecret, approvals: 'apply' }
    const provider = await createTestKycProvider(stack.installation, tenant.id, sumsub)
    const payments = await createProvider(stack.installation, tenant.id)
    const review = (reviewAnswer: string, at: Date) =>
      JSON.stringify({
        type: 'applicantReviewed',
        applicantId: '5cb744200a975a67ed1798a4',
        externalUserId: accountId,
        levelName: 'basic-kyc-level',
        applicantType: 'individual',
        sandboxMode: true,
        createdAtMs: at.toISOString().replace('T', ' ').replace('Z', ''),
        reviewResult: { reviewAnswer },
      })
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
