import type { TObject } from 'typebox'

/**
 * Ignores the query of an operation that declares none, since clients and proxies may add parameters. Every list
 * declares its parameters and rejects others: a filter that it ignored would return more than the caller asked for.
 *
 * A query string has only text. Where the schema has an integer, canonical decimal digits become a number; everything
 * else stays text, and the schema rejects it. Ajv's own coercion would accept `1e1`, `0x10`, `+10`, ` 10` and
 * `9007199254740991.4`.
 */
export function readQuery(schema: TObject | undefined, query: Record<string, unknown>): Record<string, unknown> {
  if (!schema) return {}
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const property = schema.properties[name] as { type?: unknown } | undefined
      const isInteger = property?.type === 'integer' && typeof value === 'string' && /^(0|[1-9]\d{0,15})$/.test(value)
      return [name, isInteger ? Number(value) : value]
    }),
  )
}
