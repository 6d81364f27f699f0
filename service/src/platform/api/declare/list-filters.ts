import { Type } from 'typebox'
import { Timestamp } from './fields.ts'

/** A filter by one or several values. */
export const SeveralOf = (values: readonly [string, ...string[]], description: string) =>
  Type.Optional(
    Type.Array(Type.Enum(values), {
      minItems: 1,
      maxItems: values.length,
      uniqueItems: true,
      description: `${description} Several are separated by commas.`,
      examples: [values.slice(0, 2)],
    }),
  )

/** The filters by the time of creation. */
export const createdRange = {
  created_from: Type.Optional(Timestamp('Only those created at or after this time.')),
  created_to: Type.Optional(Timestamp('Only those created before this time.')),
}
