import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { isUuid } from '../../base/ids.ts'
import { isCurrency } from '../../base/money.ts'
import { isCalendarDate, isTimestamp, isUint256 } from '../declare/fields.ts'
import type { Header } from '../declare/operation.ts'
import type { Failure } from '../errors/errors.ts'

export interface RequestParts {
  params: unknown
  query: unknown
  body: unknown
  idempotencyKey: string | undefined
}

/** Validates the whole request and returns all failures at once, so that an integrator can fix them in one pass. */
export function requestValidator({ header }: { readonly header: Header }): (parts: RequestParts) => Failure[] {
  const params = header.params && validatorOf(header.params)
  const query = header.query && validatorOf(header.query)
  const body = header.body && bodyValidator(header.body)
  return (parts) => [
    ...failuresOfKey(header.idempotency, parts.idempotencyKey),
    ...(params ? failuresOf(params(), parts.params, 'The path parameter').map(inParameter) : []),
    ...(query ? failuresOfQuery(query(), parts.query) : []),
    ...(body ? body(parts.body) : []),
  ]
}

/** Validates a body alone, for operations that choose the schema of their body at run time. */
export function bodyValidator(schema: TSchema): (body: unknown) => Failure[] {
  const validate = validatorOf(schema)
  return (body) => failuresOfBody(validate(), body)
}

/** Compiles on first use: compiling the schemas of all operations takes most of a second when a process starts. */
function validatorOf(schema: TSchema): () => ValidateFunction {
  let compiled: ValidateFunction | undefined
  return () => {
    compiled ??= ajv.compile(schema)
    return compiled
  }
}

// Nothing is coerced, dropped or filled in: a value that breaks the contract is rejected, never changed.
const ajv = new Ajv2020({
  allErrors: true,
  verbose: true,
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  // A test validates the schemas. Compiling JSON Schema's own schema would delay the first request by 60 ms.
  meta: false,
  validateSchema: false,
})
addFormats(ajv)
for (const annotation of ['x-meaning', 'x-extension', 'x-masked']) ajv.addKeyword(annotation)

/** Registers the formats of the contract. */
export function addFormats(validator: Ajv2020): void {
  formats.default(validator)
  validator.addFormat('currency', isCurrency)
  validator.addFormat('date', isCalendarDate)
  validator.addFormat('date-time', isTimestamp)
  validator.addFormat('uint256', isUint256)
  validator.addFormat('uuid', isUuid)
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
            detail: `The header ${header} is missing. Send a value that is unique for each new request.`,
            header,
          },
        ]
  if (key.trim() === '' || [...key].length > keyLengthMax)
    return [{ detail: `The header ${header} must have 1 to ${keyLengthMax} characters.`, header }]
  return []
}

function failuresOfBody(validate: ValidateFunction, body: unknown): Failure[] {
  if (body === undefined) return [{ detail: 'The request needs a JSON object as its body.', pointer: '' }]
  const unsafe = unsafeParts(body)
  if (unsafe.length > 0) return unsafe
  return failuresOf(validate, body, 'The member').map(({ detail, path }) => ({ detail, pointer: path }))
}

function failuresOfQuery(validate: ValidateFunction, query: unknown): Failure[] {
  const unsafe = Object.entries(query as object).filter(([, value]) =>
    [value].flat().some((text) => typeof text === 'string' && !isStorable(text)),
  )
  if (unsafe.length > 0)
    return unsafe.slice(0, failuresMax).map(([parameter]) => ({
      detail: `The query parameter ${parameter} contains U+0000 or an unpaired surrogate.`,
      parameter,
    }))
  return failuresOf(validate, query, 'The query parameter').map(inParameter)
}

interface PlainFailure {
  detail: string
  path: string
}

function inParameter({ detail, path }: PlainFailure): Failure {
  return { detail, parameter: parameterIn(path) }
}

/** Returns the name of the parameter, even for a value in its list. */
function parameterIn(path: string): string {
  return path.slice(1).replace(/\/\d+$/, '')
}

function failuresOf(validate: ValidateFunction, value: unknown, noun: string): PlainFailure[] {
  if (validate(value)) return []
  // An `if` error only repeats that its `then` has failed.
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if').slice(0, failuresMax)
  return errors.map((error) => {
    const path = pathOf(error)
    const name = noun === 'The member' ? path.slice(1) : parameterIn(path)
    return { path, detail: `${path === '' ? 'The body' : `${noun} ${name}`} ${ruleOf(error)}.` }
  })
}

/** Ajv reports a missing or unknown member at the enclosing object; we name the member itself. */
function pathOf({ instancePath, params }: ErrorObject): string {
  const member = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty']
  return member === undefined ? instancePath : `${instancePath}/${escapePointer(String(member))}`
}

function ruleOf({ keyword, params, message, parentSchema }: ErrorObject): string {
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
      return known.length > 0 ? `does not exist; allowed names: ${known.join(', ')}` : 'does not exist; none is allowed'
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
      return 'must be absent'
    default:
      return message ?? 'is not valid'
  }
}

const formatMeanings: Record<string, string> = {
  currency: 'an ISO 4217 currency code in capital letters, such as EUR',
  date: 'a calendar date in the format YYYY-MM-DD',
  'date-time': 'an ISO 8601 timestamp with an offset, such as 2026-07-02T10:00:00.000Z',
  email: 'an e-mail address',
  uint256: 'at most 2^256 - 1',
  uuid: 'a UUID',
}

/**
 * Finds valid JSON that we must reject: text that PostgreSQL cannot store unchanged (it rejects U+0000, and a lone
 * surrogate would silently become U+FFFD), and a member that would change the prototype of an object it is copied into.
 * Iterative, not recursive, since a body can be nested deeper than the call stack.
 */
function unsafeParts(body: unknown): Failure[] {
  const failures: Failure[] = []
  const pending: { value: unknown; pointer: string }[] = [{ value: body, pointer: '' }]
  for (let next = pending.pop(); next && failures.length < failuresMax; next = pending.pop()) {
    const { value, pointer } = next
    if (typeof value === 'string' && !isStorable(value))
      failures.push({
        detail: `The text at ${pointer || 'the top level'} contains U+0000 or an unpaired surrogate.`,
        pointer,
      })
    if (typeof value !== 'object' || value === null) continue
    for (const [name, member] of Object.entries(value)) {
      if (!isStorable(name) || name === '__proto__')
        failures.push({ detail: 'A member name is not allowed: it is __proto__ or contains U+0000.', pointer })
      else pending.push({ value: member, pointer: pointerTo(pointer, name) })
    }
  }
  return failures.slice(0, failuresMax)
}

// A body of 64 KiB can have thousands of failures. No client fixes more than a few at a time, and reporting them costs
// CPU.
const failuresMax = 20

// No member of the contract is nested that deeply. Without a limit each failure could repeat a pointer as long as the
// body.
const pointerLengthMax = 200

/** Falls back to the parent's pointer if the member's would be too long. */
function pointerTo(pointer: string, name: string): string {
  const longer = `${pointer}/${escapePointer(name)}`
  return longer.length > pointerLengthMax ? pointer : longer
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
