import type { OfferingTerms } from './offering-terms.ts'

type Described = Record<string, unknown>

/** Describes the terms for the audit log, which is never deleted: names bank data and the logo without their values. */
export function describeTerms(terms: OfferingTerms): Described {
  const { collection_account: account, logo, ...shown } = terms
  const hidden = [...(account ? ['collection_account'] : []), ...(logo === '' ? [] : ['logo'])]
  return { ...shown, ...(hidden.length > 0 ? { changed: hidden } : {}) }
}

/** Returns the changed terms of an offering; undefined if nothing changed. */
export function differenceOf(
  before: OfferingTerms,
  after: OfferingTerms,
): { before: Described; after: Described } | undefined {
  const names = (Object.keys(after) as (keyof OfferingTerms)[]).filter((name) => !isSame(before[name], after[name]))
  if (names.length === 0) return undefined
  const hidden = names.filter((name) => name === 'collection_account' || name === 'logo')
  const shown = names.filter((name) => name !== 'collection_account' && name !== 'logo')
  const of = (terms: OfferingTerms) => Object.fromEntries(shown.map((name) => [name, terms[name]]))
  return { before: of(before), after: { ...of(after), ...(hidden.length > 0 ? { changed: hidden } : {}) } }
}

/** Ignores the order of members, which the database does not keep. */
function isSame(one: unknown, other: unknown): boolean {
  const sorted = (value: unknown) =>
    typeof value === 'object' && value !== null ? JSON.stringify(Object.entries(value).toSorted()) : value
  return sorted(one) === sorted(other)
}
