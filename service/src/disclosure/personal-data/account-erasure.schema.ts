import { Named, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'

export const AccountErasure = Named('AccountErasure', {
  reason: Text(1, 500, {
    description: 'For the audit log. Must not contain personal data.',
    examples: ['Request of the investor, ticket 4711.'],
  }),
})

export const ErasedAccount = Named('ErasedAccount', {
  id: Uuid('The account.'),
  erased_at: Timestamp('When its personal data was erased.'),
})
