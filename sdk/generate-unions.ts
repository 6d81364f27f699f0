import type { Condition, Schema } from './openapi-document.ts'

/**
 * Replaces the conditions in the `allOf` of an object with unions, which a type can express: one variant for each value
 * of a member such as `type`, and one for each of two members that exclude each other.
 */
export function withUnions(schema: Schema): Schema {
  const conditions = (schema.allOf ?? []) as readonly Condition[]
  if (conditions.length === 0) return schema
  const byValue = conditions.filter((condition) => condition.if)
  const unions = [
    ...(byValue.length > 0 ? [byValue.map((condition) => variantOf(schema, condition))] : []),
    ...conditions.filter((condition) => condition.not).map((condition) => exclusive(schema, condition)),
  ]
  const moved = new Set(unions.flat().flatMap(({ properties }) => Object.keys(properties ?? {})))
  const { allOf: _, properties = {}, required = [], ...rest } = schema
  const base = {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !moved.has(name))),
    required: required.filter((name) => !moved.has(name)),
  }
  return { allOf: [base, ...unions.map((oneOf) => ({ oneOf }))] }
}

/** Returns the variant for `if type is X then y is required and z must be absent`. */
function variantOf(schema: Schema, condition: Condition): Schema {
  const [[name, { const: value }] = unknown(condition)] = Object.entries(condition.if?.properties ?? {})
  const { required = [], properties: absent = {} } = condition.then ?? unknown(condition)
  return objectOf([name, ...required], {
    [name]: { type: 'string', enum: [value] },
    ...Object.fromEntries(required.map((member) => [member, memberOf(schema, member)])),
    ...Object.fromEntries(Object.keys(absent).map((member) => [member, never])),
  })
}

/** Returns the variants for `not both x and y`. */
function exclusive(schema: Schema, condition: Condition): Schema[] {
  const names = condition.not?.required ?? unknown(condition)
  return names.map((present) =>
    objectOf([], Object.fromEntries(names.map((name) => [name, name === present ? memberOf(schema, name) : never]))),
  )
}

const never: Schema = { 'x-never': true }

/** Returns true for a member that must be absent in this variant. */
export function isNever(schema: Schema): boolean {
  return schema['x-never'] === true
}

function objectOf(required: readonly string[], properties: Record<string, Schema>): Schema {
  return { type: 'object', required, properties, additionalProperties: false }
}

function memberOf({ properties }: Schema, name: string): Schema {
  return properties?.[name] ?? unknown(name)
}

function unknown(part: unknown): never {
  throw new Error(`the SDK has no type for this condition: ${JSON.stringify(part)}`)
}
