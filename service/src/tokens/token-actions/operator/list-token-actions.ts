import { Type } from 'typebox'
import { Uuid } from '../../../platform/api/declare/fields.ts'
import { operatorListOperation } from '../../../platform/api/declare/page.ts'
import { TokenAction, tokenActionStates } from '../token-action.schema.ts'
import { countTokenActions, selectTokenActions } from '../token-action.sql.ts'
import { viewTokenAction } from '../token-action.view.ts'

export const listTokenActions = operatorListOperation(
  {
    id: 'listTokenActions',
    summary: 'List token actions',
    description: 'Lists proposed actions with their decisions.',
    tag: 'Settlement',
    path: '/token-actions',
    duty: 'read',
    item: TokenAction,
    query: {
      state: Type.Optional(Type.Enum(tokenActionStates, { description: 'Only actions in this state.' })),
      offering_id: Type.Optional(Uuid('Only actions on the token of this offering.', 'The offering.')),
    },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx, now }) => {
    const [count, rows] = await Promise.all([
      countTokenActions(tx, tenantId, query, now),
      selectTokenActions(tx, tenantId, query, { page, now }),
    ])
    return { count, results: rows.map((row) => viewTokenAction(row, now)) }
  },
)
