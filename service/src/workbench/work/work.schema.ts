import { Type } from 'typebox'
import { Closed, Named, orNull, Timestamp } from '../../platform/api/declare/fields.ts'
import { workCountMax } from './work.sql.ts'
import { workKinds } from './work-kinds.ts'

const kinds = workKinds.map(({ kind }) => kind)

export const WorkPath = Closed({
  kind: Type.Enum(kinds, { description: 'The kind of work.', examples: ['refund_due'] }),
})

const Money = Named('MoneySum', {
  amount: Type.String({ description: 'The amount as a decimal number.', examples: ['125.00'] }),
  currency: Type.String({ description: 'Its currency.', examples: ['EUR'] }),
})

export const Work = Named('Work', {
  work: Type.Array(
    Named('WorkSummary', {
      kind: Type.Enum(kinds, { description: 'The kind of work.', examples: ['refund_due'] }),
      count: Type.Integer({
        minimum: 0,
        maximum: workCountMax,
        description: 'How much of it waits.',
        examples: [1],
      }),
      is_count_exact: Type.Boolean({
        description: `False if there is more than \`count\`: counting stops at ${workCountMax}.`,
      }),
      sums: Type.Array(Money, { description: 'Of the counted work, for each currency; empty if it is not money.' }),
      oldest: orNull(Timestamp('Since when the oldest waits, or when it is due; null if there is none.')),
    }),
    { maxItems: kinds.length },
  ),
})

export const WorkItem = Named('WorkItem', {
  id: Type.String({ format: 'uuid', description: 'The item.', examples: ['019f2245-6100-7abc-8def-0123456789ab'] }),
  name: Type.String({ description: 'What a person recognizes it by.', examples: ['Ada Lovelace'] }),
  amount: orNull(Type.String({ description: 'The amount, if it is money.', examples: ['125.00'] })),
  currency: orNull(Type.String({ description: 'Its currency.', examples: ['EUR'] })),
  since: Timestamp('Since when it waits, or when it is due.'),
  target: Closed({
    type: Type.String({ description: 'The type of the resource to open.', examples: ['refund'] }),
    id: Type.String({
      description: 'Its id; the name of a chain.',
      examples: ['019f2245-6100-7abc-8def-0123456789ab'],
    }),
  }),
})
