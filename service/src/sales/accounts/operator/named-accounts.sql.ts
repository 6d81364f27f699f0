import { allOf, boundedCount, isOneOf, type KeysetCut, keysetCut } from '../../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../../platform/api/declare/keyset-list.ts'
import { isUuid } from '../../../platform/base/ids.ts'
import { raw, type Sql, sql } from '../../../platform/postgres/sql.ts'
import type { Transaction } from '../../../platform/postgres/transaction.ts'
import { matchSubjects, type SubjectMatch, termsMax } from '../../../records/search/match-subjects.sql.ts'
import { typedAlternatives } from '../../../records/search/search-terms.ts'
import { type AccountFilter, accountConditions } from './operator-account.sql.ts'

/** Maximum number of accounts with a name that are compared with an unselective filter, to count the matches. */
const comparedMax = 2_000

/** A page of the accounts with a name that a person typed. */
export interface NamedPage {
  readonly count: number
  readonly isCountExact: boolean
  /** Ids in the order of the page, at least one more than fits if there is a next page. */
  readonly ids: readonly string[]
}

/** Returns accounts that pass the filter and have this id, these words in their name, or this e-mail address. */
export async function selectNamedPage(
  tx: Transaction,
  tenantId: string,
  { q, filter, page }: { q: string; filter: AccountFilter; page: KeysetPage },
): Promise<NamedPage> {
  const named = await accountsNamed(tx, tenantId, q)
  if (!named) return { count: 0, isCountExact: true, ids: [] }
  const cut = keysetCut(sql`named.id`, page)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const conditions = accountConditions(tenantId, filter)
  if (named.ids && !isFiltered) return pageOfIds(tx, named.ids, cut)
  if (named.ids && (await isSelective(tx, tenantId, filter))) {
    const passing = sql`select account.id from cell.account where ${conditions}`
    return pageOfIds(tx, sql`(${named.ids}) intersect (${passing})`, cut)
  }
  // `offset 0` makes PostgreSQL look up each account that is compared.
  const passes = sql`
    exists (select from cell.account where account.id = named.id and ${conditions} offset 0)`
  const [count, ids] = await tx.batch(
    (tx) => (isFiltered ? countCompared(tx, named, passes) : countIds(tx, named.someIds)),
    (tx) =>
      named.ids
        ? firstOf(tx, sql`(select distinct id from (${named.ids}) found (id) order by id ${directionOf(page)}) named`, {
            passes,
            cut,
          })
        : inListOrder(tx, conditions, { named, page }),
  )
  const isComplete = named.ids !== undefined && named.size <= comparedMax
  return { count, isCountExact: isComplete, ids }
}

/** Reads the ids once for both the page and the count. */
async function pageOfIds(tx: Transaction, ids: Sql, cut: KeysetCut): Promise<NamedPage> {
  const found = await tx.row<{ count: number; ids: string[] }>(sql`
    with named as materialized (select distinct id from (${ids}) found (id))
    select (select count(*)::int from named) as count,
           array(select named.id from named where ${cut.where} ${cut.orderBy})::text[] as ids`)
  return { count: found?.count ?? 0, isCountExact: true, ids: found?.ids ?? [] }
}

async function accountsNamed(tx: Transaction, tenantId: string, q: string): Promise<SubjectMatch | undefined> {
  if (!isUuid(q)) return matchSubjects(tx, { tenantId, kind: 'account' }, typedAlternatives(q))
  const ids = sql`select account.id from cell.account where account.tenant_id = ${tenantId} and account.id = ${q}`
  return { ids, someIds: ids, matches: (id) => sql`${id} = ${q}`, size: 1 }
}

/** Returns true if so few accounts are in these states that all of them can be read. */
async function isSelective(tx: Transaction, tenantId: string, { kyc_status }: AccountFilter): Promise<boolean> {
  if (kyc_status === undefined) return false
  const inStates = allOf([sql`account.tenant_id = ${tenantId}`, isOneOf(sql`account.kyc_status`, kyc_status)])
  return (await boundedCount(tx, sql`from cell.account where ${inStates}`, selectiveMax)) <= selectiveMax
}
const selectiveMax = 2 * termsMax

function countIds(tx: Transaction, ids: Sql): Promise<number> {
  return boundedCount(tx, sql`from (select distinct id from (${ids}) found (id)) named`)
}

function countCompared(tx: Transaction, { someIds }: SubjectMatch, passes: Sql): Promise<number> {
  const compared = sql`select distinct id from (${someIds}) found (id) limit ${raw(String(comparedMax))}`
  return boundedCount(tx, sql`from (${compared}) named where ${passes}`)
}

const directionOf = ({ direction }: KeysetPage) => raw(direction)

/** Returns the first ids that pass, in order. */
async function firstOf(
  tx: Transaction,
  sorted: Sql,
  { passes, cut }: { passes: Sql; cut: KeysetCut },
): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`
    select named.id from ${sorted} where ${cut.where} and ${passes} ${cut.orderBy}`)
  return rows.map(({ id }) => id)
}

/** Tests the accounts in the order of the page: so many have the name that a page is soon found. */
async function inListOrder(
  tx: Transaction,
  conditions: Sql,
  { named, page }: { named: SubjectMatch; page: KeysetPage },
): Promise<string[]> {
  const id = sql`account.id`
  const cut = keysetCut(id, page)
  const rows = await tx.rows<{ id: string }>(sql`
    select ${id} from cell.account where ${conditions} and ${named.matches(id)} and ${cut.where} ${cut.orderBy}`)
  return rows.map((row) => row.id)
}
