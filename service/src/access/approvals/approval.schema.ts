import { Type } from 'typebox'
import { duties } from '../../platform/api/declare/duties.ts'
import { exampleOf } from '../../platform/api/declare/example.ts'
import { Closed, Named, orNull, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'

const exampleOrderId = exampleOf(Uuid('The order.'))

export const ApprovalPath = Type.Object({ approvalId: Uuid('The approval.') })

export const approvalStates = ['pending', 'confirmed', 'rejected', 'withdrawn', 'expired'] as const

export const Approval = Named('ChangeApproval', {
  id: Uuid('The approval.'),
  operation: Type.String({ description: 'The operation that was requested.', examples: ['recordPayment'] }),
  subject_type: Type.String({ description: 'What kind of resource it concerns.', examples: ['order'] }),
  subject_id: Uuid('The resource that it concerns.'),
  amount: orNull(Type.String({ description: 'The amount in minor units.', examples: ['125000'] })),
  decimal_amount: orNull(
    Type.String({ description: 'The amount with the decimal places of its currency.', examples: ['1250.00'] }),
  ),
  currency: orNull(Type.String({ examples: ['EUR'] })),
  state: Type.Enum(approvalStates, { description: '`expired`: not decided before `expires_at`.' }),
  confirm_duty: Type.Enum(duties, { description: 'The duty that the second person needs.' }),
  offering_id: orNull(Uuid('The offering for which it needs the duty; null if it concerns no single one.'), {
    examples: [null],
  }),
  proposed_by: Uuid('The user who proposed it.'),
  proposed_at: Timestamp('When it was proposed.'),
  expires_at: Timestamp('It can be confirmed until then.'),
  decided_by: orNull(Uuid('The user who confirmed, rejected or withdrew it.'), { examples: [null] }),
  decided_at: orNull(Timestamp('When it was decided.'), { examples: [null] }),
})

const PersonName = (description: string) => Type.String({ description, examples: ['Grace Hopper'] })

/** An approval with names to show instead of its ids. */
export const NamedApproval = Named('NamedChangeApproval', {
  ...Approval.properties,
  subject_name: orNull(
    Type.String({
      description:
        'The name of the account, offering, payment or KYC provider, user or credential, or of the account of a ' +
        'KYC check; the payment reference of the order, or of that of the payment or refund. Null for what has ' +
        'neither.',
      examples: ['RF18539007547034'],
    }),
  ),
  offering_name: orNull(Type.String({ description: 'The name of `offering_id`.' }), { examples: [null] }),
  proposed_by_name: orNull(PersonName('The name of `proposed_by`.')),
  decided_by_name: orNull(PersonName('The name of `decided_by`.'), { examples: [null] }),
})

export const ApprovalWithRequest = Named('ChangeApprovalWithRequest', {
  ...NamedApproval.properties,
  request: Closed({
    params: Type.Unknown({ description: 'The path parameters, by name.', examples: [{ orderId: exampleOrderId }] }),
    query: Type.Unknown({ description: 'The query parameters, by name.', examples: [{}] }),
    body: Type.Unknown({
      description: 'The body as it was sent; null if the operation has none.',
      examples: [{ amount: '1250.00', currency: 'EUR', reference: 'cash desk 7' }],
    }),
  }),
})

export const ConfirmedApproval = Named('ConfirmedChange', {
  approval: Approval,
  result: Type.Unknown({
    description: 'What the operation returned. Secrets in it are shown only here.',
    examples: [{ id: exampleOrderId }],
  }),
})
