import { createHash } from 'node:crypto'
import { type TObjectOptions, type TProperties, type TSchema, Type } from 'typebox'

// The field types of the contract. validation.ts registers the formats that JSON Schema lacks or defines differently.

/** An object with these members and no others. */
export const Closed = <Members extends TProperties>(members: Members, more: TObjectOptions = {}) =>
  Type.Object(members, { additionalProperties: false, ...more })

/** A closed object that the API descriptions list under its title. */
export const Named = <Members extends TProperties>(title: string, members: Members, more: TObjectOptions = {}) =>
  Closed(members, { title, ...more })

/** Ids with the same name have the same example, so that the examples of different operations fit together. */
export const Uuid = (description: string, name = description) =>
  Type.String({ format: 'uuid', description, examples: [exampleId(name)] })

function exampleId(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex')
  return `019f2245-6100-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`
}

/** Text with a length in code points, stored and returned unchanged. */
export const Text = (minLength: number, maxLength: number, more: { description?: string; examples?: string[] } = {}) =>
  Type.String({ minLength, maxLength, ...more })

/** Any two capital letters. Operators get a finding for codes that ISO has not assigned, see data-quality.ts. */
export const CountryCode = (description: string) =>
  Type.String({
    pattern: '^[A-Z]{2}$',
    'x-meaning': 'be an ISO 3166-1 alpha-2 country code: two capital letters, such as DE',
    description,
    examples: ['DE'],
  })

export const CalendarDate = (description: string) =>
  Type.String({ format: 'date', description, examples: ['1985-12-10'] })

export const Timestamp = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-07-02T10:00:00.000Z'] })

export const CurrencyCode = (description: string) =>
  Type.String({ minLength: 3, maxLength: 3, format: 'currency', description, examples: ['EUR'] })

/** An exact amount, never a floating-point number. Limited in length, so that no caller sends endless digits. */
export const Decimal = (description: string, example: string) =>
  Type.String({
    pattern: '^(0|[1-9][0-9]{0,17})(\\.[0-9]{1,60})?$',
    'x-meaning': 'be a decimal number as a string, such as "12.5"',
    description,
    examples: [example],
  })

/** Units in a request: from one to the largest uint256. */
export const SomeUnits = (description: string, example: string) =>
  Type.String({
    pattern: '^[1-9][0-9]{0,77}$',
    maxLength: 78,
    format: 'uint256',
    'x-meaning':
      'be a whole number of at least 1, as a string of digits without a leading zero, in the smallest token unit',
    description,
    examples: [example],
  })

export const Units = (description: string, example = '1000000000') =>
  Type.String({ pattern: '^(0|[1-9][0-9]*)$', description, examples: [example] })

export const orNull = <Schema extends TSchema>(
  schema: Schema,
  more: { examples?: unknown[]; default?: null; description?: string } = {},
) => Type.Union([schema, Type.Null()], more)

const uint256Max = 2n ** 256n - 1n

/** Checks the upper bound of uint256. The pattern next to the format checks the digits. */
export function isUint256(text: string): boolean {
  return !/^\d+$/.test(text) || BigInt(text) <= uint256Max
}

/**
 * A timestamp with its offset, to the millisecond: further digits would be dropped silently. Ajv's own format accepts
 * years and leap seconds that Date and PostgreSQL do not support.
 */
export function isTimestamp(text: string): boolean {
  const [, day] = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?(?:Z|[+-]\d{2}:\d{2})$/.exec(text) ?? []
  if (!day || !isCalendarDate(day)) return false
  const year = new Date(text).getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** A calendar date from year 1 on. PostgreSQL rejects year 0, which a pattern would accept. */
export function isCalendarDate(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}
