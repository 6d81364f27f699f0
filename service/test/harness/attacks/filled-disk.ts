import { randomBytes } from 'node:crypto'
import { OperatorClient } from '../callers/operator-client.ts'
import type { Attack } from './attack.ts'

const mebibyte = 1_048_576
/** Far below the default, so that the attack is short. */
const fileMebibytes = 25
const uploads = 6

export const filledDisk: Attack = {
  name: 'a clerk fills the disk that all tenants of a cell share with documents',
  isShort: true,
  run: async (stack) => {
    const { installation } = stack
    const tenant = await stack.tenant()
    await installation.setLimits(tenant.id, { fileMebibytes })
    const api = await stack.operatorApi()
    const clerk = await OperatorClient.create(installation, api, tenant.id, 'operator')
    const accountId = await tenant.account()
    const statuses: number[] = []
    for (let sent = 0; sent < uploads; sent += 1) {
      const { status } = await api.call('POST', `/accounts/${accountId}/documents`, {
        token: clerk.who.token,
        body: randomBytes(5 * mebibyte).toString('hex'),
        headers: { 'content-type': 'text/plain' },
      })
      statuses.push(status)
    }
    const rows = await installation.rows(
      'select sum(octet_length(content))::float8 as bytes from cell.document_part where tenant_id = $1',
      [tenant.id],
    )
    const stored = rows[0].bytes / mebibyte
    return {
      isDefended: stored <= fileMebibytes && statuses.includes(409),
      observed: `${stored.toFixed(1)} MiB stored, of ${fileMebibytes}; ${uploads} uploads of 10 MiB: ${statuses.join(', ')}`,
    }
  },
}
