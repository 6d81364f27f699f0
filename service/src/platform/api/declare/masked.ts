import { type TSchema, type TStringOptions, Type } from 'typebox'

/** Part of a value that operators see without revealing it: enough to compare two values, not enough to use one. */
const shownPart = {
  iban: (text: string) => (text.length > 12 ? `${text.slice(0, 4)}…${text.slice(-4)}` : '…'),
  tax_number: (text: string) => (text.length > 6 ? `…${text.slice(-3)}` : '…'),
  /** Shows no part of a secret: with it, anyone could sign as its owner. */
  secret: () => 'set, not shown',
} as const
type MaskKind = keyof typeof shownPart

/**
 * A field of the operator API that the pipeline masks in responses and in stored requests. Operations with the duty
 * `personal` show it in full and declare it without this keyword; they are audited.
 */
export const Masked = (kind: Exclude<MaskKind, 'secret'>, description: string, example: string) =>
  Type.String({
    'x-masked': kind,
    description: `${description} Masked: only the operations with the duty \`personal\` show it in full.`,
    examples: [shownPart[kind](example)],
  })

/**
 * A member of a request that nothing returns: no response, proposal, event, audit entry, export or log line. A proposal
 * stores it apart from the rest of the request, until it is decided.
 */
export const Secret = (options: Omit<TStringOptions, 'writeOnly'>) =>
  Type.String({ ...options, writeOnly: true, 'x-masked': 'secret' })

type Mask = (value: unknown) => unknown

export const unchanged: Mask = (value) => value

/**
 * Returns a function that masks the declared fields of a value, those of one kind or all. Returns undefined if the
 * schema has none.
 */
export function maskOf(schema: TSchema | undefined, only?: MaskKind): Mask | undefined {
  const { 'x-masked': kind, properties, items, anyOf } = (schema ?? {}) as Schema
  if (kind)
    return kind === (only ?? kind) ? (value) => (typeof value === 'string' ? shownPart[kind](value) : value) : undefined
  if (properties) return maskOfMembers(properties, only)
  if (items) {
    const mask = maskOf(items, only)
    return mask && ((value) => (Array.isArray(value) ? value.map(mask) : value))
  }
  // The branches of a union mask different members, if any, so that all of them can be applied.
  const masks = (anyOf ?? []).map((branch) => maskOf(branch, only)).filter((mask) => mask !== undefined)
  return masks.length > 0 ? (value) => masks.reduce((masked, mask) => mask(masked), value) : undefined
}

interface Schema {
  readonly 'x-masked'?: MaskKind
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
}

function maskOfMembers(properties: Readonly<Record<string, TSchema>>, only: MaskKind | undefined): Mask | undefined {
  const masks = Object.entries(properties).flatMap(([name, member]) => {
    const mask = maskOf(member, only)
    return mask ? [{ name, mask }] : []
  })
  if (masks.length === 0) return undefined
  return (value) => {
    if (typeof value !== 'object' || value === null) return value
    const copy: Record<string, unknown> = { ...value }
    for (const { name, mask } of masks) if (name in copy) copy[name] = mask(copy[name])
    return copy
  }
}
