import { hasDutySomewhere } from '../../../platform/api/declare/duties.ts'
import { type OperatorContext, operatorOperation } from '../../../platform/api/declare/operation.ts'
import { isUuid } from '../../../platform/base/ids.ts'
import type { FoundSubject, SearchKind } from '../../../records/search/search-kind.ts'
import { selectSubjects, type TermRange } from '../../../records/search/search-term.sql.ts'
import { typedAlternatives, typedIban } from '../../../records/search/search-terms.ts'
import { resultsOfKindMax, Search, SearchResults } from '../search.schema.ts'
import { searchKinds } from '../search-kinds.ts'

export const search = operatorOperation(
  {
    id: 'search',
    summary: 'Search everything',
    description:
      'Searches accounts, orders, wallets, transactions, payments and refunds by the beginning of words. A POST ' +
      'request, because names and IBANs must not be in URLs. An IBAN is compared as a whole, and only for users with ' +
      'the duty `personal` or `money`.',
    tag: 'Work',
    method: 'POST',
    isRead: true,
    path: '/search',
    duty: 'read',
    approval: 'never',
    idempotency: 'none',
    body: Search,
    success: { status: 200, body: SearchResults },
    errors: [],
  },
  async ({ body: { query } }, context) => {
    const { tenantId, tx } = context
    const alternatives = await alternativesOf(query, context)
    const typedId = isUuid(query.trim()) ? [query.trim()] : []
    const ids = await tx.each(searchKinds, (tx, { kind }) =>
      tx.each(alternatives, (tx, ranges) => selectSubjects(tx, tenantId, { kind, ranges, limit: resultsOfKindMax })),
    )
    const found = await tx.each(searchKinds, (tx, kind, index) =>
      kind.find(tx, tenantId, [...new Set([...typedId, ...(ids[index] ?? []).flat()])]),
    )
    return { results: searchKinds.flatMap((kind, index) => view(kind, found[index] ?? [])) }
  },
)

/** A result matches all ranges of one alternative: each typed word, the whole text, or an IBAN under one key. */
async function alternativesOf(
  query: string,
  { operator, vault }: Pick<OperatorContext, 'operator' | 'vault'>,
): Promise<TermRange[][]> {
  const mayKnowIbans = hasDutySomewhere(operator, 'personal') || hasDutySomewhere(operator, 'money')
  const ibans = mayKnowIbans ? await typedIban(query, vault) : []
  return [...typedAlternatives(query), ...ibans.map((one) => [one])]
}

/** Sorts by id, and so by time. */
function view({ kind }: SearchKind, subjects: readonly FoundSubject[]) {
  return subjects
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, resultsOfKindMax)
    .map(({ id, name, detail, accountId, orderId }) => ({
      kind,
      id,
      name,
      detail,
      account_id: accountId,
      order_id: orderId,
    }))
}
