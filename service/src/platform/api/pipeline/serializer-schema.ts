import fastJson from 'fast-json-stringify'
import type { TSchema } from 'typebox'

type SerializeResult = (result: unknown) => string

export function compileSerializer(schema: TSchema): SerializeResult {
  return fastJson(serializerSchema(schema))
}

/**
 * Compiles on the first response. Compiling the serializers of all the hundreds of operations took a quarter of the CPU
 * time of a start.
 */
export const lazySerializer = ({ schema }: { schema: unknown }): SerializeResult => {
  let serialize: SerializeResult | undefined
  return (result) => {
    serialize ??= compileSerializer(schema as TSchema)
    return serialize(result)
  }
}

/**
 * Rewrites a schema into an equivalent one that the serializer handles faster. For a union it would run a validator for
 * each branch on every value, so `X or null` becomes a nullable X. For an enum without a type it would check the type
 * of every value, so an enum of strings becomes a string. The serializer does not validate: it only has to leave out
 * members that are not in the contract.
 */
function serializerSchema(schema: TSchema): TSchema {
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
