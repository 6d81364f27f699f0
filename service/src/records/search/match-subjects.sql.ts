import { join, raw, type Sql, sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { TermRange } from './search-term.sql.ts'

/** How a list finds the subjects that match what a person typed. */
export interface SubjectMatch {
  /** A condition on the id of a subject. */
  readonly matches: (id: Sql) => Sql
  /** The same, of only some of them if there are too many to count. */
  readonly isCounted: (id: Sql) => Sql
  readonly isCountExact: boolean
}

/**
 * A range with more terms is not read as a whole. Reading this many and looking up their subjects takes about as long
 * as finding a page of a larger range among a million subjects, one after the other.
 */
const termsMax = 5_000

interface SizedRange extends TermRange {
  /** One more than the maximum if there are more. */
  readonly size: number
}

/**
 * Prepares a list of the subjects that match all ranges of one of the alternatives. How depends on the rarest range of
 * an alternative: the subjects of a small one are looked up; of large ones, PostgreSQL intersects all ids; and if the
 * only range is large, the list tests its subjects in its own order, of which it soon finds a page.
 */
export async function matchSubjects(
  tx: Transaction,
  { tenantId, kind }: { tenantId: string; kind: string },
  alternatives: readonly (readonly TermRange[])[],
): Promise<SubjectMatch | undefined> {
  const sized = await sizesOf(tx, { tenantId, kind }, alternatives)
  const found = sized.filter((ranges) => ranges.every(({ size }) => size > 0))
  if (found.length === 0) return undefined
  const isIn = ({ from, to }: TermRange) => sql`
    search_term.tenant_id = ${tenantId} and search_term.kind = ${kind}
    and search_term.term >= ${from} collate "C" and search_term.term < ${to} collate "C"`
  const idsIn = (range: TermRange) => sql`select search_term.subject_id from cell.search_term where ${isIn(range)}`
  // `offset 0` keeps it a lookup for each subject: PostgreSQL would otherwise read the whole range to join it. Without
  // the kind, which an id implies, the primary key cannot serve it: that would read the range for each subject.
  const hasTerm = ({ from, to }: TermRange, id: Sql) => sql`
    exists (select from cell.search_term
            where search_term.tenant_id = ${tenantId} and search_term.subject_id = ${id}
              and search_term.term >= ${from} collate "C" and search_term.term < ${to} collate "C" offset 0)`
  const idsOf = ([rarest, ...others]: readonly SizedRange[]): Sql => {
    if (rarest === undefined) throw new Error('an alternative has no range')
    if (rarest.size > termsMax) return join([rarest, ...others].map(idsIn), ' intersect ')
    return sql`
      select candidate.subject_id from (${idsIn(rarest)}) candidate
      where ${join([sql`true`, ...others.map((range) => hasTerm(range, sql`candidate.subject_id`))], ' and ')}`
  }
  const isListed = (ids: readonly Sql[], id: Sql) => sql`${id} = any (array((${join(ids, ') union all (')})))`
  const large = found.flatMap(([only, ...others]) =>
    only && others.length === 0 && only.size > termsMax ? [only] : [],
  )
  const ids = found.filter((ranges) => !large.some((range) => ranges.includes(range as SizedRange))).map(idsOf)
  const someIds = large.map((range) => sql`${idsIn(range)} limit ${raw(String(termsMax))}`)
  return {
    matches: (id) => {
      const listed = ids.length > 0 ? [isListed(ids, id)] : []
      return sql`(${join([...listed, ...large.map((range) => hasTerm(range, id))], ' or ')})`
    },
    isCounted: (id) => isListed([...ids, ...someIds], id),
    isCountExact: large.length === 0,
  }
}

/** How many terms each range has, in one statement; the rarest range of each alternative comes first. */
async function sizesOf(
  tx: Transaction,
  { tenantId, kind }: { tenantId: string; kind: string },
  alternatives: readonly (readonly TermRange[])[],
): Promise<SizedRange[][]> {
  const ranges = alternatives.flat()
  const sizes = await tx.rows<{ size: number }>(sql`
    select (
      select count(*)::int from (
        select from cell.search_term
        where search_term.tenant_id = ${tenantId} and search_term.kind = ${kind}
          and search_term.term >= word.low collate "C" and search_term.term < word.high collate "C"
        limit ${raw(String(termsMax + 1))}
      ) counted
    ) as size
    from unnest(${ranges.map(({ from }) => from)}::text[], ${ranges.map(({ to }) => to)}::text[])
      with ordinality as word (low, high, number)
    order by word.number`)
  const sized = ranges.map((range, index) => ({ ...range, size: sizes[index]?.size ?? 0 }))
  let start = 0
  return alternatives.map(({ length }) => {
    start += length
    return sized.slice(start - length, start).toSorted((one, other) => one.size - other.size)
  })
}
