import { Type } from 'typebox'
import { Text } from '../../../platform/api/declare/fields.ts'
import { directoryKeysetListOperation, pageOf } from '../../../platform/api/declare/keyset-list.ts'
import { SavedView } from '../saved-view.schema.ts'
import { pageOfVisibleViews } from '../saved-view.sql.ts'
import { viewSavedView } from '../saved-view.view.ts'

export const listSavedViews = directoryKeysetListOperation(
  {
    id: 'listSavedViews',
    summary: 'List saved views',
    description: 'Your own views, and those that others share with the tenant.',
    tag: 'Saved views',
    path: '/saved-views',
    duty: 'read',
    item: SavedView,
    query: {
      list: Type.Optional(
        Text(1, 100, { description: 'Only views of this list operation.', examples: ['listOrders'] }),
      ),
    },
    errors: [],
  },
  async ({ query, page }, { tenantId, tx, operator: { userId } }) => {
    const views = { tenantId, userId, list: query.list }
    const { count, rows } = await pageOfVisibleViews(tx, views, page)
    return { count, ...pageOf(rows, page, viewSavedView) }
  },
)
