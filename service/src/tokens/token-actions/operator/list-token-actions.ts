import { Type } from 'typebox'
import { Uuid } from '../../../platform/api/declare/fields.ts'
import { keysetListOperation, pageOfViews } from '../../../platform/api/declare/keyset-list.ts'
import { SeveralOf } from '../../../platform/api/declare/list-filters.ts'
import { TokenAction, tokenActionStates } from '../token-action.schema.ts'
import { selectTokenActions } from '../token-action.sql.ts'
import { viewTokenAction } from '../token-action.view.ts'

export const listTokenActions = keysetListOperation(
  {
    id: 'listTokenActions',
    summary: 'List token actions',
    description:
      'Lists actions from proposal to execution. Confirm, reject or withdraw a pending one at `/approvals/{id}`.',
    tag: 'Settlement',
    path: '/token-actions',
    duty: 'read',
    namesCallers: true,
    item: TokenAction,
    sorts: ['proposed_at'],
    query: {
      state: SeveralOf(tokenActionStates, 'Only actions in this state.'),
      offering_id: Type.Optional(Uuid('Only actions on the token of this offering.', 'The offering.')),
    },
    errors: [],
  },
  async ({ query, page }, context) => {
    const { tenantId, tx, now } = context
    const { count, rows } = await selectTokenActions(tx, tenantId, query, { page, now })
    const view = (those: readonly (typeof rows)[number][]) =>
      Promise.all(those.map((row) => viewTokenAction(context, row)))
    return { count, ...(await pageOfViews(rows, page, view)) }
  },
)
