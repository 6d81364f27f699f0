import type { TSchema } from 'typebox'

/**
 * The same schema in words that the serializer writes faster. It would hold every value of a union against each branch
 * with a validator, so `X or null` becomes a nullable X; and it would look at every value of an enum without a type,
 * so one of texts becomes text. It is no validator: what it must do is leave out what the contract does not name.
 */
export function serializerSchema(schema: TSchema): TSchema {
  return rewrite(schema) as TSchema
}

function rewrite(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(rewrite)
  if (typeof part !== 'object' || part === null) return part
  const { anyOf, enum: values } = part as { anyOf?: { type?: unknown }[]; enum?: unknown[] }
  const [value, nothing] = anyOf ?? []
  if (anyOf?.length === 2 && nothing?.type === 'null') return { ...(rewrite(value) as object), nullable: true }
  if (values?.every((one) => typeof one === 'string')) return { type: 'string' }
  return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, rewrite(member)]))
}
