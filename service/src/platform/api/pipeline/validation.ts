import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { isCurrency } from '../../base/money.ts'
import { isCalendarDate, isCountryCode, isMoment, isUint256 } from '../declare/fields.ts'
import type { Operation } from '../declare/operation.ts'
import type { Failure } from '../errors/errors.ts'

export interface RequestParts {
  params: unknown
  query: unknown
  body: unknown
  idempotencyKey: string | undefined
}

/** Checks the whole request and tells all that is wrong with it at once, so that an integrator mends it in one go. */
export function requestValidator({ header }: Operation): (parts: RequestParts) => Failure[] {
  const params = header.params && ajv.compile(header.params)
  const query = ajv.compile(header.query ?? noQuery)
  const body = header.body && bodyValidator(header.body)
  return (parts) => [
    ...failuresOfKey(header.idempotency, parts.idempotencyKey),
    ...(params ? failuresOf(params, parts.params, 'The path parameter').map(inParameter) : []),
    ...failuresOf(query, parts.query, 'The query parameter').map(inParameter),
    ...(body ? body(parts.body) : []),
  ]
}

/** The same for a body alone, where what it must be like is known only to the operation. */
export function bodyValidator(schema: TSchema): (body: unknown) => Failure[] {
  const validate = ajv.compile(schema)
  return (body) => failuresOfBody(validate, body)
}

const noQuery = { type: 'object', additionalProperties: false, properties: {} }

// Nothing is coerced, dropped or filled in: a value that is not what the contract says is refused, never changed.
const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: true, strictRequired: false, allowUnionTypes: true })
addFormats(ajv)
for (const annotation of ['x-meaning', 'x-extension']) ajv.addKeyword(annotation)

/** Teaches a validator the formats of the contract. */
export function addFormats(validator: Ajv2020): void {
  formats.default(validator)
  validator.addFormat('country-code', isCountryCode)
  validator.addFormat('currency', isCurrency)
  validator.addFormat('date', isCalendarDate)
  validator.addFormat('date-time', isMoment)
  validator.addFormat('uint256', isUint256)
}

export const keyLengthMax = 128

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
  // `if` only repeats that its `then` has failed.
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if').slice(0, failuresMax)
  return errors.map((error) => {
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
  const schema = (parentSchema ?? {}) as {
    properties?: object
    minimum?: number
    maximum?: number
    'x-meaning'?: string
  } & Record<string, unknown>
  switch (keyword) {
    case 'required':
      return 'is missing'
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const known = Object.keys(schema.properties ?? {})
      return known.length > 0 ? `does not exist; there are ${known.join(', ')}` : 'does not exist; there are none'
    }
    case 'format':
      return `must be ${formatMeanings[params['format']] ?? `in the format ${params['format']}`}`
    case 'pattern':
    case 'not':
      return schema['x-meaning'] ? `must ${schema['x-meaning']}` : (message ?? 'is not valid')
    case 'minimum':
    case 'maximum':
    case 'type':
      if (schema['type'] === 'integer')
        return `must be a whole number from ${schema.minimum ?? 0} to ${schema.maximum ?? Number.MAX_SAFE_INTEGER}`
      return message ?? 'is not valid'
    case 'false schema':
      return 'must not be there'
    default:
      return message ?? 'is not valid'
  }
}

const formatMeanings: Record<string, string> = {
  'country-code': 'an ISO 3166-1 alpha-2 country code in capital letters, such as DE',
  currency: 'a currency of ISO 4217 in capital letters, such as EUR',
  date: 'a day of the calendar, written YYYY-MM-DD',
  'date-time': 'a timestamp in ISO 8601 with its offset, such as 2026-07-02T10:00:00.000Z',
  email: 'an e-mail address',
  uint256: 'at most 2^256 - 1',
}

/**
 * What is legal JSON and still must not come in: text that no database keeps as it is (PostgreSQL refuses U+0000, a
 * lone surrogate would silently become U+FFFD), and a member that would change the prototype of an object it is copied
 * into. Walks with a list of its own, since a body may be nested deeper than the stack.
 */
function hostileParts(body: unknown): Failure[] {
  const failures: Failure[] = []
  const open: { value: unknown; pointer: string }[] = [{ value: body, pointer: '' }]
  for (let next = open.pop(); next && failures.length < failuresMax; next = open.pop()) {
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
      else open.push({ value: member, pointer: below(pointer, name) })
    }
  }
  return failures.slice(0, failuresMax)
}

// A body of 64 KiB can hold thousands of failures; nobody mends more than a few at a time, and telling costs us.
const failuresMax = 20

// No member of the contract is as far down. A pointer can be as long as the body, and stands in each of its failures.
const pointerLengthMax = 200

/** Where the pointer to a member would be too long, the one to what holds it has to do. */
function below(pointer: string, name: string): string {
  const longer = `${pointer}/${escapePointer(name)}`
  return longer.length > pointerLengthMax ? pointer : longer
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
