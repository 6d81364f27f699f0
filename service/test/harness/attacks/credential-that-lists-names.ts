import type { Attack } from './attack.ts'

/** One administrator wants the names and addresses of all investors, which takes two people to export. */
export const credentialThatListsNames: Attack = {
  name: 'one administrator issues a credential that lists names and e-mail addresses',
  isShort: true,
  run: async (stack) => {
    const tenant = await stack.tenant()
    const offeringId = await tenant.fixtures.offering(tenant.id)
    await tenant.order(offeringId, await tenant.account())
    await stack.installation.useDefaultPolicies(tenant.id)
    const [admin, operatorApi, api] = [await stack.admin(tenant), await stack.operatorApi(), await stack.api()]
    const exported = await operatorApi.call('POST', '/exports', {
      cookie: admin.who.cookie,
      body: { kind: 'orders', with_personal_data: true },
    })
    const scopes = ['order.read']
    const issued = await admin.post('/credentials', { name: 'mine', scopes })
    if (issued.status === 202)
      return { isDefended: exported.status === 202, observed: `export ${exported.status}, credential 202` }
    const { client_id, client_secret } = issued.body
    const { body } = await api.call('POST', '/auth', { body: { client_id, client_secret, scopes } })
    const list = await api.call('GET', `/offerings/${offeringId}/orders`, { token: body.access_token })
    const observed = `export ${exported.status}, credential ${issued.status}: ${JSON.stringify(list.body.results[0].account)}`
    return { isDefended: false, observed }
  },
}
