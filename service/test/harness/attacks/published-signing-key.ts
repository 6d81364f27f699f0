import { createHmac } from 'node:crypto'
import { freePort, startProcess } from '../installation/process.ts'
import type { Attack } from './attack.ts'
import { send } from './attack-stack.ts'

/** The key that the repository once contained, as the default of development. */
const publishedKey = Buffer.from('development-only token signing key, never use it elsewhere')

export const publishedSigningKey: Attack = {
  name: 'a token signed with a key from the repository',
  isShort: true,
  run: async ({ installation }) => {
    const tenantId = await installation.createTenant('Forged')
    const { clientId } = await installation.issueCredential(tenantId)
    const api = startProcess('api', {
      DATABASE_URL: installation.settings['DATABASE_URL'] ?? '',
      PORT: '0',
      METRICS_PORT: String(await freePort()),
    })
    try {
      const { port } = await api.logged('listening')
      const token = forgedToken({ tenant_id: tenantId, client_id: clientId })
      const headers = { authorization: `Bearer ${token}` }
      const { status } = await send(`http://127.0.0.1:${Number(port)}/api/events`, { headers })
      return { isDefended: status === 401, observed: `the response is ${status}` }
    } finally {
      await api.kill()
    }
  },
}

function forgedToken(claims: object): string {
  const iat = Math.floor(Date.now() / 1000)
  const body = {
    ...claims,
    scopes: ['order.read'],
    api_version: '2026-07-02',
    iss: 'st-external-api',
    aud: 'st-api',
    iat,
    exp: iat + 600,
  }
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const signed = `${encoded({ alg: 'HS256', kid: 'development', typ: 'JWT' })}.${encoded(body)}`
  return `${signed}.${createHmac('sha256', publishedKey).update(signed).digest('base64url')}`
}
