import type { Attack } from './attack.ts'
import { jsonWith, send } from './attack-stack.ts'

const credentialsMax = 150

/** A tenant must not set its own limit. */
export const ownCeilings: Attack = {
  name: 'an admin raises the limits of the tenant',
  isShort: true,
  run: async (stack) => {
    const tenantId = await stack.installation.createTenant('Greedy')
    // Uses the defaults of a new tenant, because the harness gives its tenants high limits.
    await stack.installation.setLimits(tenantId, { requestsPerMinute: 6_000, credentials: 50 })
    const { clientId } = await stack.installation.issueCredential(tenantId)
    const { token } = await stack.installation.createOperator(tenantId)
    const { baseUrl } = await stack.operatorApi()
    const { status } = await send(`${baseUrl}/operator/credentials/${clientId}`, {
      method: 'PATCH',
      headers: jsonWith(token),
      body: JSON.stringify({ requests_per_minute: 60_000 }),
    })
    if (status === 200) return { isDefended: false, observed: 'the credential may send 60,000 requests a minute' }
    let credentials = 1
    for (; credentials < credentialsMax; credentials += 1) {
      const body = JSON.stringify({ name: `n${credentials}`, scopes: ['order.read'], requests_per_minute: 1 })
      const created = await send(`${baseUrl}/operator/credentials`, { method: 'POST', headers: jsonWith(token), body })
      if (created.status !== 201) break
    }
    const observed = `60,000 requests a minute: ${status}; credentials: ${credentials}`
    return { isDefended: credentials < credentialsMax, observed }
  },
}
