import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'

/** Terms by which a subject can be found. */
export interface SubjectTerms {
  readonly kind: string
  readonly subjectId: string
  readonly terms: readonly string[]
}

/** Adds the terms of new subjects, in the transaction that inserts them. */
export async function indexTerms(tx: Transaction, tenantId: string, subjects: readonly SubjectTerms[]): Promise<void> {
  const rows = subjects.flatMap(({ kind, subjectId, terms }) => terms.map((term) => ({ kind, subjectId, term })))
  if (rows.length === 0) return
  tx.later(sql`
    insert into cell.search_term (tenant_id, kind, term, subject_id)
    select ${tenantId}::uuid, kind, term, subject_id
    from unnest(${rows.map(({ kind }) => kind)}::text[], ${rows.map(({ term }) => term)}::text[],
                ${rows.map(({ subjectId }) => subjectId)}::uuid[]) as given (kind, term, subject_id)
    on conflict do nothing`)
}

/** Replaces the terms of a changed subject, in the transaction that changes it. The caller has locked the subject. */
export async function replaceTerms(tx: Transaction, tenantId: string, subject: SubjectTerms): Promise<void> {
  const { kind, subjectId, terms } = subject
  await tx.batch(
    (tx) =>
      tx.rows(sql`
      delete from cell.search_term
      where tenant_id = ${tenantId} and subject_id = ${subjectId} and kind = ${kind}
        and not (term = any (${terms}::text[]))`),
    (tx) => indexTerms(tx, tenantId, [subject]),
  )
}

/** Deletes all terms of subjects: for rows that are deleted, and for the erasure of an account. */
export async function deleteTerms(tx: Transaction, tenantId: string, subjectIds: readonly string[]): Promise<void> {
  await tx.rows(sql`
    delete from cell.search_term where tenant_id = ${tenantId} and subject_id = any (${subjectIds}::uuid[])`)
}

/** The range of all terms that begin with a prefix, or the term alone. */
export interface TermRange {
  readonly from: string
  readonly to: string
}

/** Number of subjects of a word that are compared with the other words of a search. */
const candidatesMax = 1_000

/**
 * Finds the subjects of a kind that have a term in each of the ranges, in one statement: the first thousand subjects of
 * the rarest range are compared with the other ranges. So the result is complete if one of the words is rare enough.
 */
export async function selectSubjects(
  tx: Transaction,
  tenantId: string,
  { kind, ranges, limit }: { kind: string; ranges: readonly TermRange[]; limit: number },
): Promise<string[]> {
  const words = sql`
    unnest(${ranges.map((range) => range.from)}::text[], ${ranges.map((range) => range.to)}::text[])
      with ordinality`
  const someOf = (columns: Sql, word: Sql) => sql`
    select ${columns} from cell.search_term
    where search_term.tenant_id = ${tenantId} and search_term.kind = ${kind}
      and search_term.term >= ${word}.low collate "C" and search_term.term < ${word}.high collate "C"
    limit ${candidatesMax}::bigint`
  const found = await tx.rows<{ id: string }>(sql`
    select distinct candidate.subject_id as id
    from (
      select word.low, word.high, word.number from ${words} as word (low, high, number)
      order by (select count(*) from (${someOf(sql``, sql`word`)}) counted), word.number
      limit 1
    ) rarest
    cross join lateral (${someOf(sql`search_term.subject_id`, sql`rarest`)}) candidate
    where not exists (
      select from ${words} as other (low, high, number)
      where other.number <> rarest.number and not exists (
        select from cell.search_term
        where search_term.tenant_id = ${tenantId} and search_term.subject_id = candidate.subject_id
          and search_term.kind = ${kind}
          and search_term.term >= other.low collate "C" and search_term.term < other.high collate "C"
      )
    )
    order by candidate.subject_id desc limit ${limit}::bigint`)
  return found.map(({ id }) => id)
}
