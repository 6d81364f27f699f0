import fastJson from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import { serializerSchema } from './serializer-schema.ts'

type SerializeResult = (result: unknown) => string

export function compileSerializer(schema: TSchema): SerializeResult {
  return fastJson(serializerSchema(schema))
}

/**
 * Compiles with the first response. An API has hundreds of operations, and compiling all of their serializers took a
 * quarter of the CPU time of a start.
 */
export const lazySerializer = ({ schema }: { schema: unknown }): SerializeResult => {
  let serialize: SerializeResult | undefined
  return (result) => {
    serialize ??= compileSerializer(schema as TSchema)
    return serialize(result)
  }
}
