import { Type } from 'typebox'
import { policies } from '../../platform/api/declare/approval.ts'
import { duties } from '../../platform/api/declare/duties.ts'
import { Named, orNull } from '../../platform/api/declare/fields.ts'

export const ApprovalPolicy = Named('ApprovalPolicy', {
  policy: Type.Enum(policies, { description: 'What it is about.', examples: ['manual_payment'] }),
  second_person: Type.Enum(['always', 'from_amount', 'never'] as const, {
    description: 'When a second person must confirm. A policy that was never set is `always`.',
  }),
  from_minor: orNull(
    Type.String({
      pattern: '^[1-9][0-9]{0,17}$',
      'x-meaning': 'be a whole number of minor units, as a string of digits',
      description: 'With `from_amount`: the smallest amount, in minor units, that needs a second person.',
      examples: ['100000'],
    }),
  ),
})

export const DutyPairs = Named('DutyPairs', {
  forbidden: Type.Array(Type.Array(Type.Enum(duties), { minItems: 2, maxItems: 2, uniqueItems: true }), {
    maxItems: 45,
    description: 'Pairs of duties that one user must not have together.',
    examples: [[['money', 'release']]],
  }),
})

export const ApprovalPolicies = Named('ApprovalPolicies', {
  policies: Type.Array(ApprovalPolicy, { maxItems: policies.length }),
})
