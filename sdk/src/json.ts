import { unitMembers } from './generated/operations.ts'

/** Units leave as text: JSON has no number that holds them. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? member.toString() : member))
}

/**
 * Units arrive as bigint. The data of an event stays as it was sent, since it is there to be kept or passed on as
 * JSON, which a bigint cannot become.
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
