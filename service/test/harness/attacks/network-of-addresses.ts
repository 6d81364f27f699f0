import { randomBytes } from 'node:crypto'
import type { Attack } from './attack.ts'
import { proxyAddress, send } from './attack-stack.ts'

const attempts = 600
const atOnce = 30

/** One internet connection has 2^64 IPv6 addresses. A trusted proxy passes the address on, as in production. */
export const networkOfAddresses: Attack = {
  name: `${attempts} wrong secrets from the addresses of one IPv6 /64`,
  isShort: true,
  run: async (stack) => {
    const { baseUrl } = await stack.api()
    const tenantId = await stack.installation.createTenant('Guessed')
    const { clientId, clientSecret } = await stack.installation.issueCredential(tenantId)
    const wrong = clientSecret.slice(0, -4) + (clientSecret.endsWith('AAAA') ? 'BBBB' : 'AAAA')
    const body = JSON.stringify({ client_id: clientId, client_secret: wrong, scopes: ['order.read'] })
    // Each run uses a new network, because Redis counts across runs.
    const network = `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}`
    let [sent, limited] = [0, 0]
    const guess = async () => {
      while (sent < attempts && limited === 0) {
        sent += 1
        const headers = { 'content-type': 'application/json', 'x-forwarded-for': `${network}::${sent.toString(16)}` }
        const { status } = await send(`${baseUrl}/api/auth`, { method: 'POST', headers, body, from: proxyAddress })
        if (status === 429) limited += 1
      }
    }
    await Promise.all(Array.from({ length: atOnce }, guess))
    const observed = limited > 0 ? `429 after ${sent} attempts` : `all ${sent} were tried`
    return { isDefended: limited > 0, observed }
  },
}
