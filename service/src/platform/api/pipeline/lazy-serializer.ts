import fastJson from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import { serializerSchema } from './serializer-schema.ts'

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
