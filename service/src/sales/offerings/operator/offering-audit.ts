import type { OfferingTerms } from './offering-terms.ts'

type Described = Record<string, unknown>

/** The terms as the audit log keeps them for ever: bank data and pictures are named and not shown. */
export function describeTerms(terms: OfferingTerms): Described {
  const { collection_account: account, logo, ...shown } = terms
  const hidden = [...(account ? ['collection_account'] : []), ...(logo === '' ? [] : ['logo'])]
  return { ...shown, ...(hidden.length > 0 ? { changed: hidden } : {}) }
}

/** What is different between two states of an offering; undefined where nothing is. */
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

/** Members of an object may come in any order: the database has one of its own. */
function isSame(one: unknown, other: unknown): boolean {
  const inOrder = (value: unknown) =>
    typeof value === 'object' && value !== null ? JSON.stringify(Object.entries(value).toSorted()) : value
  return inOrder(one) === inOrder(other)
}
