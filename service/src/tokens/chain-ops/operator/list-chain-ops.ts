import { Type } from 'typebox'
import { Uuid } from '../../../platform/api/declare/fields.ts'
import { operatorListOperation } from '../../../platform/api/declare/page.ts'
import { ListedChainOp } from '../chain-op.schema.ts'
import { countChainOps, selectChainOps } from '../chain-op.sql.ts'
import { chainOpKinds, chainOpStates } from '../chain-op.ts'
import { viewListedChainOp } from '../chain-op.view.ts'

export const listChainOps = operatorListOperation(
  {
    id: 'listChainOps',
    summary: 'List chain ops',
    description: 'Lists the calls that the service sends to the chains. Ops in ALARM or REVERTED wait for an operator.',
    tag: 'Settlement',
    path: '/chain-ops',
    duty: 'read',
    item: ListedChainOp,
    query: {
      state: Type.Optional(Type.Enum(chainOpStates, { description: 'Only ops in this state.' })),
      kind: Type.Optional(Type.Enum(chainOpKinds, { description: 'Only ops of this kind.' })),
      offering_id: Type.Optional(Uuid('Only ops of this offering.', 'The offering.')),
    },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx }) => {
    const filter = { state: query.state, kind: query.kind, offeringId: query.offering_id }
    const [count, ops] = await Promise.all([
      countChainOps(tx, tenantId, filter),
      selectChainOps(tx, tenantId, filter, page),
    ])
    return { count, results: ops.map(viewListedChainOp) }
  },
)
