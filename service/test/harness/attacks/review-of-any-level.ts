import { company, individual } from '../data/bodies.ts'
import { createTestKycProvider, sumsubHeaders, sumsubSecret } from '../servers/kyc-provider.ts'
import type { Attack } from './attack.ts'

/** A company passes as checked after its clerk has verified a phone number at the provider. */
export const reviewOfAnyLevel: Attack = {
  name: 'a KYC review of another level, or of a person, approves a company',
  isShort: true,
  run: async (stack) => {
    const [tenant, api] = [await stack.tenant(), await stack.api()]
    const admin = await stack.admin(tenant)
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
      const note = JSON.stringify({
        type: 'applicantReviewed',
        applicantId: crypto.randomUUID(),
        externalUserId: accountId,
        sandboxMode: true,
        createdAtMs: new Date().toISOString().replace('T', ' ').replace('Z', ''),
        reviewResult: { reviewAnswer: 'GREEN' },
        ...review,
      })
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
