import { join, raw, type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { TermRange } from './search-term.sql.ts'

/** Queries and conditions with which a list finds the subjects that match a search. */
export interface SubjectMatch {
  /** Query for the ids, which may repeat some; undefined if there are too many to read all. */
  readonly ids: Sql | undefined
  /** Query for the ids to count if there are too many. */
  readonly someIds: Sql
  /** Condition on the id of a subject, for a list that tests its subjects in its own order. */
  readonly matches: (id: Sql) => Sql
  /** Upper bound of the number of ids; one more than `termsMax` if it is unknown. */
  readonly size: number
}

/**
 * A range with more terms is not read as a whole. Reading this many takes about as long as finding a page of a larger
 * range among a million subjects, one after the other.
 */
export const termsMax = 12_000
/** Looking up the terms of this many subjects takes about as long as reading another range. */
const lookupsMax = 1_000
/** Like lookupsMax, if the other range has more terms and it is unknown how long reading it would take. */
const lookupsMaxBesideLarge = 5_000

/** Limit to which the terms of a range are counted: several ranges are intersected, however large they are. */
const countedMax = (ranges: readonly TermRange[]) => (ranges.length === 1 ? termsMax : lookupsMaxBesideLarge)

interface SizedRange extends TermRange {
  /** One more than the maximum if there are more terms. */
  readonly size: number
}

/**
 * Prepares a list of the subjects that match all ranges of one of the alternatives. The rarest range of an alternative
 * decides how. The subjects of a small one are looked up. If several are large, PostgreSQL intersects all their ids. If
 * the only range is large, the list tests its subjects in its own order and soon finds a page.
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
  // `offset 0` keeps it a lookup for each subject: PostgreSQL would otherwise join the whole range. An id implies the
  // kind; leaving it out rules out the primary key, which would read the range for each subject.
  const hasTerm = ({ from, to }: TermRange, id: Sql) => sql`
    exists (select from cell.search_term
            where search_term.tenant_id = ${tenantId} and search_term.subject_id = ${id}
              and search_term.term >= ${from} collate "C" and search_term.term < ${to} collate "C" offset 0)`
  const idsOf = ([rarest, ...others]: readonly SizedRange[]): Sql => {
    if (rarest === undefined) throw new Error('an alternative has no range')
    const lookups = others.some(({ size }) => size > lookupsMaxBesideLarge) ? lookupsMaxBesideLarge : lookupsMax
    const [second, ...rest] = others
    const haveAll = (ranges: readonly TermRange[]) =>
      join([sql`true`, ...ranges.map((range) => hasTerm(range, sql`candidate.subject_id`))], ' and ')
    if (rarest.size <= lookups)
      return sql`select candidate.subject_id from (${idsIn(rarest)}) candidate where ${haveAll(others)}`
    const both = join([rarest, ...(second ? [second] : [])].map(idsIn), ' intersect ')
    if (rest.length === 0) return both
    // Two large words usually have few subjects in common, and then the other words need not be read.
    const isFew = sql`(select count(*) from both_words) <= ${raw(String(lookupsMax))}`
    const intersected = rest.map((range) => sql`${idsIn(range)} and not ${isFew}`)
    return sql`
      with both_words as materialized (${both})
      select candidate.subject_id from both_words candidate where ${isFew} and ${haveAll(rest)}
      union all
      (${join([sql`select both_words.subject_id from both_words where not ${isFew}`, ...intersected], ' intersect ')})`
  }
  const isLarge = (ranges: readonly SizedRange[]) => ranges.length === 1 && (ranges[0]?.size ?? 0) > termsMax
  const [large, small] = [found.filter(isLarge).flat(), found.filter((ranges) => !isLarge(ranges)).map(idsOf)]
  const someIds = large.map((range) => sql`${idsIn(range)} limit ${raw(String(termsMax))}`)
  const union = (queries: readonly Sql[]) => sql`(${join(queries, ') union all (')})`
  return {
    ids: large.length === 0 ? union(small) : undefined,
    someIds: union([...small, ...someIds]),
    matches: (id) => {
      const listed = small.length > 0 ? [sql`${id} = any (array(${union(small)}))`] : []
      return sql`(${join([...listed, ...large.map((range) => hasTerm(range, id))], ' or ')})`
    },
    size: Math.min(
      termsMax + 1,
      found.reduce((sum, [rarest]) => sum + (rarest?.size ?? 0), 0),
    ),
  }
}

/** Counts the terms of each range in one statement; the rarest range of each alternative comes first. */
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
        limit word.most
      ) counted
    ) as size
    from unnest(${ranges.map(({ from }) => from)}::text[], ${ranges.map(({ to }) => to)}::text[],
                ${alternatives.flatMap((words) => words.map(() => countedMax(words) + 1))}::bigint[])
      with ordinality as word (low, high, most, number)
    order by word.number`)
  const sized = ranges.map((range, index) => ({ ...range, size: sizes[index]?.size ?? 0 }))
  let start = 0
  return alternatives.map(({ length }) => {
    start += length
    return sized.slice(start - length, start).toSorted((one, other) => one.size - other.size)
  })
}
