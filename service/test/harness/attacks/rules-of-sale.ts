import { confirmAs } from '../callers/second-person.ts'
import { newOffering } from '../data/bodies.ts'
import { openRules, requireDocumentAndAnswers } from '../data/eligibility.ts'
import { until } from '../wait.ts'
import type { Attack } from './attack.ts'

/** The attacker has the token of an integrator, and orders without the pages that ask the investor. */
export const skippedQuestionnaire: Attack = {
  name: 'an order by a direct call, without the questionnaire and the documents of the offering',
  isShort: true,
  run: async (stack) => {
    const tenant = await stack.tenant()
    const admin = await stack.user(tenant)
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

/** One operator acts under the policies of a new tenant. The second person looks at the proposal before the change. */
export const loosenedRules: Attack = {
  name: 'who may buy loosened alone after the opening was proposed',
  isShort: true,
  run: async (stack) => {
    const tenant = await stack.tenant()
    await stack.installation.useDefaultPolicies(tenant.id)
    const clerk = await stack.user(tenant)
    const { id } = (await clerk.post('/offerings', newOffering)).body
    await clerk.post(`/offerings/${id}/eligibility`, { ...openRules, allowed_countries: ['DE'] })
    const proposal = await clerk.post(`/offerings/${id}/open`)
    const { status: loosened } = await clerk.post(`/offerings/${id}/eligibility`, openRules)
    const second = await stack.installation.createOperator(tenant.id)
    const confirmed = await confirmAs(await stack.operatorApi(), second, proposal)
    const { status } = (await clerk.get(`/offerings/${id}`)).body
    const { code, message } = confirmed.body.error ?? {}
    const observed =
      `the rules were loosened alone with ${loosened}, the confirmation got ${code ?? confirmed.status}, and the ` +
      `offering is ${status}`
    const isDefended = code === 'subject_changed' && /eligibility rules/.test(message) && status === 'DRAFT'
    return { isDefended, observed }
  },
}

const register = {
  isin: null,
  issuer_name: 'Mallory GmbH',
  issuer_lei: null,
  nominal_amount: '1',
  nominal_currency: 'EUR',
  extract_format: null,
}

/** The tenant has the default policies, and an open offering with a document to accept. */
export const registerAndDocumentsAlone: Attack = {
  name: 'the issuer in the register, and the documents of a sale and of an account, changed alone',
  isShort: true,
  run: async (stack) => {
    const tenant = await stack.tenant()
    await stack.installation.useDefaultPolicies(tenant.id)
    const clerk = await stack.user(tenant)
    const [api, second] = [await stack.operatorApi(), await stack.installation.createOperator(tenant.id)]
    const upload = async (path: string) => (await clerk.upload(path, crypto.randomUUID(), 'text/plain')).body
    const { id } = (await clerk.post('/offerings', newOffering)).body
    const document = await upload(`/offerings/${id}/documents`)
    await clerk.post(`/offerings/${id}/eligibility`, { ...openRules, document_ids: [document.id] })
    await confirmAs(api, second, await clerk.post(`/offerings/${id}/open`))
    const accountId = await tenant.account()
    const evidence = await upload(`/accounts/${accountId}/documents`)

    const changed = await clerk.post(`/offerings/${id}/register-details`, register)
    const deletion = await clerk.post(`/documents/${document.id}/delete`, { reason: 'old' })
    const hidden = await clerk.post(`/documents/${evidence.id}/delete`, { reason: 'old' })
    // Two people may delete it. Nobody can read it afterwards.
    if (deletion.status === 202) await confirmAs(api, second, deletion)
    const path = `/accounts/${accountId}/eligibility/${id}`
    const accepted = await tenant.post(`${path}/documents/${document.id}/accept`, { sha256: document.sha256 })
    const { is_eligible: isEligible } = (await tenant.get(path)).body
    const alone = [changed, deletion, hidden].map(({ status }) => status)
    return {
      isDefended: alone.every((status) => status === 202) && accepted.status === 404 && isEligible === false,
      observed:
        `register, required document and document of an account: ${alone.join(', ')}; accepting what is deleted: ` +
        `${accepted.status}; the account is ${isEligible ? '' : 'not '}eligible`,
    }
  },
}

/** 39,999 units of 8 decimals at 12.50 EUR cost 0.0049999 EUR. */
export const freeOrder: Attack = {
  name: 'an order so small that its price rounds to 0',
  isShort: true,
  run: async (stack) => {
    const tenant = await stack.tenant()
    const offeringId = await tenant.fixtures.offering(tenant.id)
    const body = { account_id: await tenant.account(), units: '39999' }
    const response = await tenant.post(`/offerings/${offeringId}/orders`, body)
    if (response.status !== 201) return { isDefended: true, observed: `the response is ${response.status}` }
    const total = Number(response.body.total_amount)
    return { isDefended: total > 0, observed: `it costs ${total.toFixed(2)} EUR` }
  },
}
