import { Type } from 'typebox'
import { Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'

const closed = { additionalProperties: false }

export const SavedViewPath = Type.Object({ viewId: Uuid('The view.') }, closed)

const members = {
  name: Text(1, 100, { description: 'Its name.', examples: ['Large orders to accept'] }),
  list: Type.String({
    pattern: '^[a-z][A-Za-z]{2,99}$',
    'x-meaning': 'be the id of a list operation, such as listOrders',
    description: 'The id of the list operation that the filters are of.',
    examples: ['listOrders'],
  }),
  filters: Type.Array(
    Type.Object(
      {
        name: Type.String({
          pattern: '^[a-z_]{1,40}$',
          'x-meaning': 'be the name of a query parameter',
          description: 'The query parameter.',
          examples: ['status'],
        }),
        value: Text(1, 200, { description: 'Its value.', examples: ['PAID'] }),
      },
      closed,
    ),
    { maxItems: 20, description: 'Query parameters of the list. Personal data does not belong here.' },
  ),
  is_shared: Type.Boolean({ description: 'Whether all users of the tenant see it, or only you.' }),
}

export const NewSavedView = Type.Object(members, { ...closed, title: 'NewSavedView' })

export const SavedViewChange = Type.Partial(
  Type.Object({ name: members.name, filters: members.filters, is_shared: members.is_shared }, closed),
  { ...closed, title: 'SavedViewChange' },
)

export const SavedView = Type.Object(
  {
    id: Uuid('The view.'),
    user_id: Uuid('The user who saved it.', 'The admin.'),
    ...members,
    created_at: Timestamp('When it was saved.'),
  },
  { ...closed, title: 'SavedView' },
)
