import assert from 'node:assert/strict'
import type { ApiResponse } from '../installation/api-client.ts'
import type { RunningApi } from '../installation/running-api.ts'
import type { TestOperator } from '../installation/test-users.ts'

/** Lets a second person confirm a proposal. Returns the response of the confirmation. */
export function confirmAs(
  api: RunningApi,
  second: TestOperator,
  proposal: ApiResponse,
  database: 'cell' | 'directory' = 'cell',
): Promise<ApiResponse> {
  assert.equal(proposal.status, 202, proposal.text)
  const resource = database === 'cell' ? 'approvals' : 'directory-approvals'
  return api.call('POST', `/${resource}/${proposal.body.approval_id}/confirm`, { cookie: second.cookie })
}
