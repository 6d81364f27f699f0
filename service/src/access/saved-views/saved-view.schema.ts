import { Type } from 'typebox'
import { Closed, Named, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'

const closed = { additionalProperties: false }

export const SavedViewPath = Closed({ viewId: Uuid('The view.') })

const members = {
  name: Text(1, 100, { description: 'Its name.', examples: ['Large orders to accept'] }),
  list: Type.String({
    pattern: '^[a-z][A-Za-z]{2,99}$',
    'x-meaning': 'be the id of a list operation, such as listOrders',
    description: 'The id of the list operation that the filters are of.',
    examples: ['listOrders'],
  }),
  filters: Type.Array(
    Closed({
      name: Type.String({
        pattern: '^[a-z_]{1,40}$',
        'x-meaning': 'be the name of a query parameter',
        description: 'The query parameter.',
        examples: ['status'],
      }),
      value: Text(1, 200, { description: 'Its value.', examples: ['PAID'] }),
    }),
    { maxItems: 20, description: 'Query parameters of the list. Personal data does not belong here.' },
  ),
  is_shared: Type.Boolean({ description: 'Whether all users of the tenant see it, or only you.' }),
}

export const NewSavedView = Named('NewSavedView', members)

export const SavedViewChange = Type.Partial(
  Closed({ name: members.name, filters: members.filters, is_shared: members.is_shared }),
  { ...closed, title: 'SavedViewChange' },
)

export const SavedView = Named('SavedView', {
  id: Uuid('The view.'),
  user_id: Uuid('The user who saved it.', 'The admin.'),
  ...members,
  created_at: Timestamp('When it was saved.'),
})
