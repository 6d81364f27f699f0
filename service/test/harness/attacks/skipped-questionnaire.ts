import { requireDocumentAndAnswers } from '../data/eligibility.ts'
import { until } from '../wait.ts'
import type { Attack } from './attack.ts'

/** The attacker has the token of an integrator, and orders without the pages that ask the investor. */
export const skippedQuestionnaire: Attack = {
  name: 'an order by a direct call, without the questionnaire and the documents of the offering',
  isShort: true,
  run: async (stack) => {
    const tenant = await stack.tenant()
    const admin = await stack.admin(tenant)
    const { fixtures, id: tenantId } = tenant
    const offeringId = await fixtures.offering(tenantId)
    const { version } = await requireDocumentAndAnswers(stack.installation, { tenantId, offeringId })
    const accountId = await tenant.account()
    await tenant.patch(`/accounts/${accountId}`, { kyc: { status: 'APPROVED' } })
    await fixtures.wallet(tenantId, accountId)
    const orderId = await tenant.order(offeringId, accountId)
    const path = `/accounts/${accountId}/eligibility/${offeringId}`
    const tries = [
      await tenant.post(`${path}/questionnaire`, { version: version + 1, answers: {}, accepts_warning: true }),
      await tenant.post(`${path}/questionnaire`, { version, answers: {}, accepts_warning: true }),
      // Answers are refused, and then given again until they fit.
      await tenant.post(`${path}/questionnaire`, { version, answers: { experience: 'often', can_lose: false } }),
      await tenant.post(`${path}/questionnaire`, { version, answers: { experience: 'often', can_lose: true } }),
      await tenant.post(`${path}/documents/${crypto.randomUUID()}/accept`, { sha256: '00'.repeat(32) }),
    ]
    await fixtures.pay(tenantId, orderId)
    const read = async () => (await admin.get(`/orders/${orderId}`)).body
    // Long enough for a worker to make it ready.
    await until('the blockers are reported', async () => (await read()).blockers.length > 0)
    const { status, blockers } = await read()
    const codes = blockers.map(({ code }: { code: string }) => code).join(', ')
    return {
      isDefended:
        status === 'PAID' && codes.includes('questionnaire_refused') && codes.includes('document_not_accepted'),
      observed: `the responses are ${tries.map((one) => one.status).join(', ')}; the order is ${status}: ${codes}`,
    }
  },
}
