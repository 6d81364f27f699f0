import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Failure } from './errors.ts'
import type { Operation } from './operation.ts'

export interface RequestParts {
  params: unknown
  query: unknown
  body: unknown
  idempotencyKey: string | undefined
}

/** Checks the whole request and tells all that is wrong with it at once, so that an integrator mends it in one go. */
export function requestValidator({ header }: Operation): (parts: RequestParts) => Failure[] {
  const params = header.params && ajv.compile(header.params)
  const query = ajv.compile(header.query ?? { type: 'object', additionalProperties: false, properties: {} })
  const body = header.body && ajv.compile(header.body)
  return (parts) => [
    ...failuresOfKey(header.idempotency, parts.idempotencyKey),
    ...(params ? failuresOf(params, parts.params, 'The path parameter').map(inParameter) : []),
    ...failuresOf(query, parts.query, 'The query parameter').map(inParameter),
    ...(body ? failuresOfBody(body, parts.body) : []),
  ]
}

// Nothing is coerced, dropped or filled in: a value that is not what the contract says is refused, never changed.
const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: true, allowUnionTypes: true })
formats.default(ajv)

const keyLengthMax = 128

function failuresOfKey(mode: 'required' | 'optional' | 'none', key: string | undefined): Failure[] {
  const header = 'X-Idempotency-Key'
  if (mode === 'none') return []
  if (key === undefined)
    return mode === 'optional'
      ? []
      : [
          {
            detail: `The header ${header} is missing. Send a value of your own that is new for each new request.`,
            header,
          },
        ]
  if (key.trim() === '' || [...key].length > keyLengthMax)
    return [{ detail: `The header ${header} must have 1 to ${keyLengthMax} characters.`, header }]
  return []
}

function failuresOfBody(validate: ValidateFunction, body: unknown): Failure[] {
  if (body === undefined) return [{ detail: 'The request needs a JSON object as its body.', pointer: '' }]
  const hostile = hostileParts(body)
  if (hostile.length > 0) return hostile
  return failuresOf(validate, body, 'The member').map(({ detail, path }) => ({ detail, pointer: path }))
}

interface PlainFailure {
  detail: string
  path: string
}

function inParameter({ detail, path }: PlainFailure): Failure {
  return { detail, parameter: path.slice(1) }
}

function failuresOf(validate: ValidateFunction, value: unknown, noun: string): PlainFailure[] {
  if (validate(value)) return []
  return (validate.errors ?? []).map((error) => {
    const path = placeOf(error)
    return { path, detail: `${path === '' ? 'The body' : `${noun} ${path.slice(1)}`} ${sentenceOf(error)}.` }
  })
}

/**
 * Ajv reports a missing or unknown member at the object that should or should not have it; we name the member itself.
 */
function placeOf({ instancePath, params }: ErrorObject): string {
  const member = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty']
  return member === undefined ? instancePath : `${instancePath}/${escapePointer(String(member))}`
}

function sentenceOf({ keyword, params, message, parentSchema }: ErrorObject): string {
  if (keyword === 'required') return 'is missing'
  if (keyword === 'enum')
    return `must be one of ${(params['allowedValues'] as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const known = Object.keys((parentSchema as { properties?: object } | undefined)?.properties ?? {})
    return known.length > 0 ? `does not exist; there are ${known.join(', ')}` : 'does not exist; there are none'
  }
  // A schema may say in words what its pattern means.
  const meaning = (parentSchema as { 'x-pattern-meaning'?: string } | undefined)?.['x-pattern-meaning']
  if (keyword === 'pattern' && meaning) return `must be ${meaning}`
  return message ?? 'is not valid'
}
ajv.addKeyword('x-pattern-meaning')

/**
 * What is legal JSON and still must not come in: text that no database keeps as it is (PostgreSQL refuses U+0000, a
 * lone surrogate would silently become U+FFFD), and a member that would change the prototype of an object it is copied
 * into. Walks with a list of its own, since a body may be nested deeper than the stack.
 */
function hostileParts(body: unknown): Failure[] {
  const failures: Failure[] = []
  const open: { value: unknown; pointer: string }[] = [{ value: body, pointer: '' }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, pointer } = next
    if (typeof value === 'string' && !isStorable(value))
      failures.push({
        detail: `The text at ${pointer || 'the top'} holds U+0000 or half of a surrogate pair.`,
        pointer,
      })
    if (typeof value !== 'object' || value === null) continue
    for (const [name, member] of Object.entries(value)) {
      if (!isStorable(name) || name === '__proto__')
        failures.push({ detail: 'A member has a name that is not allowed: __proto__, or with U+0000 in it.', pointer })
      else open.push({ value: member, pointer: `${pointer}/${escapePointer(name)}` })
    }
  }
  return failures.slice(0, failuresMax)
}

const failuresMax = 100

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
