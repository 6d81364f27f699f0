import { Type } from 'typebox'
import { Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'

const closed = { additionalProperties: false }

export const AccountErasure = Type.Object(
  {
    reason: Text(1, 500, {
      description: 'For the audit log. Must not contain personal data.',
      examples: ['Request of the investor, ticket 4711.'],
    }),
  },
  { ...closed, title: 'AccountErasure' },
)

export const ErasedAccount = Type.Object(
  { id: Uuid('The account.'), erased_at: Timestamp('When its personal data was erased.') },
  { ...closed, title: 'ErasedAccount' },
)
