/** A JSON schema with the keywords of our OpenAPI documents. */
export interface Schema {
  readonly [keyword: string]: unknown
}

/** `request`: callers may send it. `response`: callers must be able to read it. */
export type Direction = 'request' | 'response'

interface Comparison {
  readonly before: Components
  readonly after: Components
  readonly direction: Direction
  /** Pairs of references that are being compared, because schemas may refer to themselves. */
  readonly underWay: ReadonlySet<string>
}

export type Components = Readonly<Record<string, Schema>>

/**
 * Returns the changes of a schema that break callers written for the previous one. A request must accept all that it
 * accepted before; a response must contain only what callers have seen before. A keyword that this file does not
 * compare throws, so that no change is overlooked once our schemas begin to use a new one.
 */
export function schemaChanges(
  [before, after]: readonly [Schema, Schema],
  path: string,
  comparison: Comparison,
): string[] {
  const pair = `${String(before['$ref'])} ${String(after['$ref'])}`
  if (before['$ref'] && after['$ref'] && comparison.underWay.has(pair)) return []
  const inside = { ...comparison, underWay: new Set([...comparison.underWay, pair]) }
  const [was, is] = [resolve(before, comparison.before), resolve(after, comparison.after)]
  requireKnownKeywords(was, path)
  requireKnownKeywords(is, path)
  if (was['anyOf'] || is['anyOf']) return variantChanges([was, is], path, inside)
  return [
    ...typeChanges([was, is], path, inside),
    ...valueChanges([was, is], path, inside),
    ...memberChanges([was, is], path, inside),
    ...itemChanges([was, is], path, inside),
    ...limitChanges([was, is], path, inside),
    ...conditionChanges([was, is], path),
  ]
}

type Pair = readonly [was: Schema, is: Schema]

const annotations = ['description', 'title', 'examples', 'writeOnly', 'x-masked', 'x-extension', '$ref']
const conditions = ['allOf', 'not', 'if', 'then', 'else']
const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
const compared = ['type', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'items', 'anyOf']
const exact = ['format', 'pattern', 'uniqueItems', 'default', 'multipleOf', 'contentMediaType']
const known = new Set([...annotations, ...conditions, ...lowerBounds, ...upperBounds, ...compared, ...exact])

function requireKnownKeywords(schema: Schema, path: string): void {
  const unknown = Object.keys(schema).filter((keyword) => !known.has(keyword))
  if (unknown.length > 0)
    throw new Error(`${path} uses ${unknown.join(', ')}, which schema-changes.ts does not compare: add it there.`)
}

function resolve(schema: Schema, components: Components): Schema {
  const { $ref: reference, ...beside } = schema
  if (typeof reference !== 'string') return schema
  const found = components[reference.replace('#/components/schemas/', '')]
  if (!found) throw new Error(`${reference} is not in the document.`)
  return { ...resolve(found, components), ...beside }
}

/** A request must still accept each variant that it did; a response must have contained each variant before. */
function variantChanges([was, is]: Pair, path: string, comparison: Comparison): string[] {
  const [before, after] = [variantsOf(was), variantsOf(is)]
  const [wanted, offered] = comparison.direction === 'request' ? [before, after] : [after, before]
  return wanted.flatMap((variant) => {
    const attempts = offered.map((one) =>
      schemaChanges(comparison.direction === 'request' ? [variant, one] : [one, variant], path, comparison),
    )
    if (attempts.some((changes) => changes.length === 0)) return []
    // The variant with the fewest differences is most likely the one that was changed.
    return attempts.toSorted((a, b) => a.length - b.length)[0] ?? [`${path}: a variant was removed`]
  })
}

function variantsOf(schema: Schema): Schema[] {
  const { anyOf, ...beside } = schema
  if (!Array.isArray(anyOf)) return [schema]
  const shared = Object.fromEntries(Object.entries(beside).filter(([keyword]) => !annotations.includes(keyword)))
  return (anyOf as Schema[]).map((variant) => ({ ...shared, ...variant }))
}

function typeChanges([was, is]: Pair, path: string, { direction }: Comparison): string[] {
  const [before, after] = [typesOf(was), typesOf(is)]
  const [wanted, offered] = direction === 'request' ? [before, after] : [after, before]
  if (!offered || wanted?.every((type) => offered.has(type) || (type === 'integer' && offered.has('number')))) return []
  return [`${path}: the type was ${textOf(before)} and is ${textOf(after)}`]
}

function typesOf({
  type,
  const: constant,
  enum: values,
}: Schema): (string[] & { has(type: string): boolean }) | undefined {
  const list =
    type ?? (constant !== undefined ? jsonType(constant) : Array.isArray(values) ? values.map(jsonType) : undefined)
  if (list === undefined) return undefined
  const types = [...new Set([list].flat() as string[])]
  return Object.assign(types, { has: (name: string) => types.includes(name) })
}

const jsonType = (value: unknown) => (value === null ? 'null' : typeof value)
const textOf = (types: readonly string[] | undefined) => types?.join(' or ') ?? 'anything'

function valueChanges([was, is]: Pair, path: string, { direction }: Comparison): string[] {
  const [before, after] = [valuesOf(was), valuesOf(is)]
  const [wanted, offered] = direction === 'request' ? [before, after] : [after, before]
  if (!offered) return []
  const verb = direction === 'request' ? 'is not accepted any more' : 'is new'
  if (!wanted)
    return [`${path}: ${direction === 'request' ? 'only some values are accepted now' : 'any value is possible now'}`]
  return wanted.filter((value) => !offered.includes(value)).map((value) => `${path}: the value ${value} ${verb}`)
}

function valuesOf({ enum: values, const: constant }: Schema): string[] | undefined {
  if (constant !== undefined) return [JSON.stringify(constant)]
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : undefined
}

function memberChanges([was, is]: Pair, path: string, comparison: Comparison): string[] {
  const [before, after] = [propertiesOf(was), propertiesOf(is)]
  const [neededBefore, neededAfter] = [requiredOf(was), requiredOf(is)]
  const isRequest = comparison.direction === 'request'
  const changes: string[] = []
  for (const [name, schema] of Object.entries(before)) {
    const member = `${path}.${name}`
    const found = after[name]
    if (found) changes.push(...schemaChanges([schema, found], member, comparison))
    else if (!isRequest) changes.push(`${member} was removed`)
    else if (is['additionalProperties'] === false) changes.push(`${member} is not accepted any more`)
  }
  if (isRequest)
    for (const name of neededAfter) if (!neededBefore.includes(name)) changes.push(`${path}.${name} is required now`)
  if (!isRequest)
    for (const name of neededBefore)
      if (after[name] && !neededAfter.includes(name)) changes.push(`${path}.${name} can be missing now`)
  const [wasOpen, isOpen] = [was['additionalProperties'], is['additionalProperties']]
  if (isRequest && wasOpen !== false && isOpen === false) changes.push(`${path}: unknown members are rejected now`)
  if (isSchema(wasOpen) && isSchema(isOpen)) changes.push(...schemaChanges([wasOpen, isOpen], `${path}.*`, comparison))
  return changes
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null
const propertiesOf = ({ properties }: Schema) => (properties ?? {}) as Readonly<Record<string, Schema>>
const requiredOf = ({ required }: Schema) => (required ?? []) as readonly string[]

function itemChanges([was, is]: Pair, path: string, comparison: Comparison): string[] {
  return isSchema(was['items']) && isSchema(is['items'])
    ? schemaChanges([was['items'], is['items']], `${path}[]`, comparison)
    : []
}

/** Wider limits of a response break nobody: callers see longer texts and larger numbers, not other members. */
function limitChanges([was, is]: Pair, path: string, { direction }: Comparison): string[] {
  const changed = (keyword: string) => JSON.stringify(was[keyword]) !== JSON.stringify(is[keyword])
  const sentence = (keyword: string) =>
    `${path}: ${keyword} was ${JSON.stringify(was[keyword]) ?? 'not set'} and is ${JSON.stringify(is[keyword]) ?? 'not set'}`
  if (direction === 'response') return changed('format') && was['format'] !== undefined ? [sentence('format')] : []
  const bound = (keyword: string, schema: Schema, none: number) => Number(schema[keyword] ?? none)
  return [
    ...lowerBounds.filter(
      (one) => bound(one, is, Number.NEGATIVE_INFINITY) > bound(one, was, Number.NEGATIVE_INFINITY),
    ),
    ...upperBounds.filter(
      (one) => bound(one, is, Number.POSITIVE_INFINITY) < bound(one, was, Number.POSITIVE_INFINITY),
    ),
    ...exact.filter((one) => changed(one) && (is[one] !== undefined || one === 'default') && is[one] !== false),
  ].map(sentence)
}

/** Compares conditions as text: whether one allows more than another is undecidable in general. */
function conditionChanges([was, is]: Pair, path: string): string[] {
  return conditions
    .filter((keyword) => conditionText(was[keyword]) !== conditionText(is[keyword]))
    .map((keyword) => `${path}: the condition ${keyword} was changed`)
}

function conditionText(condition: unknown): string | undefined {
  return JSON.stringify(condition, (name, value) => (annotations.includes(name) && name !== '$ref' ? undefined : value))
}
