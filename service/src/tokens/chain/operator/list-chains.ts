import { type Static, Type } from 'typebox'
import { viewApiRow } from '../../../platform/api/declare/api-row.ts'
import { Named } from '../../../platform/api/declare/fields.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ChainStatus } from '../chain-status.schema.ts'
import { type ChainStatusRow, selectChainStatuses } from '../chain-status.sql.ts'

export const listChains = operatorOperation(
  {
    id: 'listChains',
    summary: 'Show the state of the chains',
    description:
      'Head, finality and how far the indexer is behind, for each chain. Workers ask the nodes every ten seconds.',
    tag: 'Settlement',
    method: 'GET',
    path: '/chains',
    duty: 'read',
    idempotency: 'none',
    success: { status: 200, body: Named('ChainStatuses', { results: Type.Array(ChainStatus, { maxItems: 100 }) }) },
    errors: [],
  },
  async (_, { tx }) => ({ results: (await selectChainStatuses(tx)).map(viewChainStatus) }),
)

function viewChainStatus(row: ChainStatusRow): Static<typeof ChainStatus> {
  const { head, head_at: headAt, indexed, indexed_at: indexedAt } = row
  const seconds = headAt && indexedAt && Math.round((headAt.getTime() - indexedAt.getTime()) / 1000)
  return {
    ...viewApiRow(row),
    // The indexer may have read a block that the worker has not seen yet.
    lag_blocks: head === null || indexed === null ? null : Math.max(0, head - indexed),
    lag_seconds: seconds === null ? null : Math.max(0, seconds),
  }
}
