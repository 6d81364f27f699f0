import { Type } from 'typebox'
import { Uuid } from '../../../platform/api/declare/fields.ts'
import { operatorListOperation } from '../../../platform/api/declare/page.ts'
import { ListedChainOp } from '../chain-op.schema.ts'
import { chainOpKinds, chainOpStates } from '../chain-op.ts'
import { viewListedChainOp } from '../chain-op.view.ts'
import { countChainOps, selectChainOps as listRows } from '../chain-op-list.sql.ts'

export const listChainOps = operatorListOperation(
  {
    id: 'listChainOps',
    summary: 'List chain ops',
    description: 'What was asked of the chains. Those in ALARM or REVERTED wait for a person.',
    tag: 'Settlement',
    path: '/chain-ops',
    role: 'viewer',
    item: ListedChainOp,
    query: {
      state: Type.Optional(Type.Enum(chainOpStates, { description: 'Only those in this state.' })),
      kind: Type.Optional(Type.Enum(chainOpKinds, { description: 'Only those of this kind.' })),
      offering_id: Type.Optional(Uuid('Only those about this offering.', 'The offering.')),
    },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx }) => {
    const [count, rows] = await Promise.all([countChainOps(tx, tenantId, query), listRows(tx, tenantId, query, page)])
    return { count, results: rows.map(viewListedChainOp) }
  },
)
