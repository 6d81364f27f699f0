import { confirmAs } from '../callers/second-person.ts'
import { newOffering } from '../data/bodies.ts'
import type { Attack } from './attack.ts'

const rules = {
  refused_countries: [],
  account_types: null,
  investor_max_amount: null,
  is_invited_only: false,
  questionnaire: null,
  document_ids: [],
  reason: 'test',
}

/** One operator acts under the policies of a new tenant. The second person looks at the proposal before the change. */
export const loosenedRules: Attack = {
  name: 'who may buy loosened alone after the opening was proposed',
  isShort: true,
  run: async (stack) => {
    const tenant = await stack.tenant()
    await stack.installation.useDefaultPolicies(tenant.id)
    const clerk = await stack.admin(tenant)
    const { id } = (await clerk.post('/offerings', newOffering)).body
    await clerk.post(`/offerings/${id}/eligibility`, { ...rules, allowed_countries: ['DE'] })
    const proposal = await clerk.post(`/offerings/${id}/open`)
    const { status: loosened } = await clerk.post(`/offerings/${id}/eligibility`, { ...rules, allowed_countries: null })
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
