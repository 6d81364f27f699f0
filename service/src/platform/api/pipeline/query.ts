import type { TObject } from 'typebox'

/**
 * Ignores the query of an operation that declares none, since clients and proxies may add parameters. Every list
 * declares its parameters and rejects others: ignoring a filter would return more than the caller asked for.
 *
 * A query string contains only text. Where the schema has an integer, canonical decimal digits become a number;
 * everything else stays text, and the schema rejects it. Ajv's own coercion would accept `1e1`, `0x10`, `+10`, ` 10`
 * and `9007199254740991.4`. Where the schema has an array, the text is split at commas. A repeated parameter stays one
 * value, which no schema accepts.
 */
export function readQuery(schema: TObject | undefined, query: Record<string, unknown>): Record<string, unknown> {
  if (!schema) return {}
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const property = schema.properties[name] as { type?: unknown } | undefined
      return [name, readValue(property?.type, value)]
    }),
  )
}

function readValue(type: unknown, value: unknown): unknown {
  if (type === 'array') return typeof value === 'string' ? value.split(',') : [value]
  const isInteger = type === 'integer' && typeof value === 'string' && /^(0|[1-9]\d{0,15})$/.test(value)
  return isInteger ? Number(value) : value
}
