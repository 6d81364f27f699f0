import { Type } from 'typebox'
import { Uuid } from '../../../platform/api/declare/fields.ts'
import { keysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { createdRange, SeveralOf } from '../../../platform/api/declare/list-filters.ts'
import { ListedChainOp } from '../chain-op.schema.ts'
import { selectChainOps } from '../chain-op.sql.ts'
import { chainOpKinds, chainOpStates } from '../chain-op.ts'
import { viewListedChainOp } from '../chain-op.view.ts'

export const listChainOps = keysetListOperation(
  {
    id: 'listChainOps',
    summary: 'List chain ops',
    description: 'Lists the calls that the service sends to the chains. Ops in ALARM or REVERTED wait for an operator.',
    tag: 'Settlement',
    path: '/chain-ops',
    duty: 'read',
    item: ListedChainOp,
    query: {
      state: SeveralOf(chainOpStates, 'Only ops in this state.'),
      kind: Type.Optional(Type.Enum(chainOpKinds, { description: 'Only ops of this kind.' })),
      offering_id: Type.Optional(Uuid('Only ops of this offering.', 'The offering.')),
      ...createdRange,
    },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx }) => {
    const { count, ops } = await selectChainOps(tx, tenantId, query, page)
    return { count, ...pageOf(ops, page, viewListedChainOp) }
  },
)
