import type { Attack } from './attack.ts'

const oneYear = { name: 'for later', expires_in_days: 366 }

/** A thief of a token must not get another one that survives when the owner notices and revokes the first. */
export const tokenFromToken: Attack = {
  name: 'a stolen one-day token makes a one-year token that survives its revocation',
  isShort: true,
  run: async (stack) => {
    const api = await stack.operatorApi()
    const tenantId = await stack.installation.createTenant('Careless')
    const owner = await stack.installation.createOperator(tenantId, { days: 1 })
    const ownPath = `/users/${owner.userId}`
    const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
      body.error?.code ?? String(status)
    const call = (path: string, proof: { token: string } | { cookie: string }, body?: object) =>
      api.call('POST', path, { ...proof, ...(body && { body }) })
    const byToken = await call(`${ownPath}/tokens`, { token: owner.token }, oneYear)
    // Through a service user the attacker could get a token only together with a second person.
    const { userId } = await stack.installation.createServiceUser(tenantId, { duties: ['money'], createdBy: null })
    const forService = await call(`/service-users/${userId}/tokens`, { token: owner.token }, oneYear)
    // A stolen session can create tokens, but they end with it.
    const bySession = await call(`${ownPath}/tokens`, { cookie: owner.cookie }, oneYear)
    await call(`${ownPath}/sessions/${owner.sessionId}/revoke`, { token: owner.token })
    const afterwards = await api.call('GET', '/users', { token: String(bySession.body.token) })
    await call(`${ownPath}/tokens/${owner.tokenId}/revoke`, { token: owner.token })
    const stolen = await api.call('GET', '/users', { token: owner.token })
    const codes = [byToken, forService, bySession, afterwards, stolen].map(codeOf)
    const [token = '', service = '', session = '', child = '', parent = ''] = codes
    return {
      isDefended: codes.join() === 'session_required,202,201,token_revoked,token_revoked',
      observed:
        `token from a token: ${token}; for a service user: ${service}, waits for a second person; ` +
        `from a session: ${session}, and once that is revoked: ${child}; the stolen token: ${parent}`,
    }
  },
}
