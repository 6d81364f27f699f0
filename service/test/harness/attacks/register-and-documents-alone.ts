import { confirmAs } from '../callers/second-person.ts'
import { newOffering } from '../data/bodies.ts'
import { openRules } from '../data/eligibility.ts'
import type { Attack } from './attack.ts'

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
    const clerk = await stack.admin(tenant)
    const [api, second] = [await stack.operatorApi(), await stack.installation.createOperator(tenant.id)]
    const upload = async (path: string) => {
      const headers = { 'content-type': 'text/plain' }
      const body = Buffer.from(crypto.randomUUID())
      return (await api.call('POST', path, { token: clerk.who.token, headers, body })).body
    }
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
