import { unitMembers } from './generated/operations.ts'

/** Serializes units as strings, because a JSON number cannot represent them exactly. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? member.toString() : member))
}

/**
 * Converts units in a response to bigint. Leaves the `data` of an event unchanged: integrators store or forward it as
 * JSON, and JSON.stringify throws on a bigint.
 */
export function withUnits(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnits)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name === 'data') return [name, member]
      return [name, unitMembers.has(name) && typeof member === 'string' ? BigInt(member) : withUnits(member)]
    }),
  )
}
