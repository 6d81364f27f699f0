import { boundedCount, keysetCut } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import { raw, type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { WorkScope, WorkSource } from '../../records/work/work-kind.ts'

/** Counting stops here: a home page shows "1,000+", and nobody works on more. */
export const workCountMax = 1_000

/** The scope, with the offerings that the caller's duty is limited to; null for all. */
export interface SourceScope extends WorkScope {
  readonly offeringIds: readonly string[] | null
}

export interface WorkSummaryRow {
  /** One more than the maximum if there are more rows. */
  count: number
  oldest: Date | null
  sums: { currency: string; amount: string }[]
}

/** Counts and sums the oldest rows of a source, up to one more than the maximum. */
export async function summarizeWork(tx: Transaction, source: WorkSource, scope: SourceScope): Promise<WorkSummaryRow> {
  const { id, since, amount = sql`null::numeric`, currency = sql`null::text` } = source
  const found = await tx.row<WorkSummaryRow>(sql`
    select coalesce(sum(count), 0)::int as count, min(oldest) as oldest,
           coalesce(jsonb_agg(jsonb_build_object('currency', currency, 'amount', amount::text) order by currency)
                      filter (where currency is not null), '[]') as sums
    from (
      select currency, count(*) as count, min(since) as oldest,
             sum(amount) filter (where position <= ${raw(String(workCountMax))}) as amount
      from (
        select ${timeOf(source)} as since, ${amount} as amount, ${currency} as currency,
               row_number() over (order by ${since.column}, ${id}) as position
        from ${source.from}
        where ${source.where(scope)} ${ofOfferings(source, scope)}
        order by ${since.column}, ${id} limit ${raw(String(workCountMax + 1))}
      ) bounded
      group by currency
    ) by_currency`)
  return found ?? { count: 0, oldest: null, sums: [] }
}

/** Counts further than a summary does, like the other lists of operators. */
export function countWorkItems(tx: Transaction, source: WorkSource, scope: SourceScope): Promise<number> {
  return boundedCount(tx, sql`from ${source.from} where ${source.where(scope)} ${ofOfferings(source, scope)}`)
}

export interface WorkItemRow {
  id: string
  sortKey: string
  name: string
  amount: string | null
  currency: string | null
  since: Date
  target: string
  targetId: string
}

/** Selects a page of a source, ordered by how long each item has waited. */
export function selectWorkItems(
  tx: Transaction,
  source: WorkSource,
  scope: SourceScope,
  page: KeysetPage,
): Promise<WorkItemRow[]> {
  const { id, amount = sql`null::numeric`, currency = sql`null::text`, nameJoin = sql``, targetId = id } = source
  const { column, where, orderBy } = keysetCut(id, page, { since: source.since })
  return tx.rows<WorkItemRow>(sql`
    select ${id} as id, ${column}, ${source.name} as name, (${amount})::text as amount, ${currency} as currency,
           ${timeOf(source)} as since, ${source.target}::text as target, (${targetId})::text as "targetId"
    from ${source.from} ${nameJoin}
    where ${source.where(scope)} ${ofOfferings(source, scope)} and ${where} ${orderBy}`)
}

function ofOfferings({ offering }: WorkSource, { offeringIds }: SourceScope): Sql {
  if (offeringIds === null) return sql``
  return offering ? sql`and ${offering} = any (${offeringIds}::uuid[])` : sql`and false`
}

/** Turns a date into its first moment in UTC. */
function timeOf({ since }: WorkSource): Sql {
  return since.type === 'date' ? sql`(${since.column})::timestamp at time zone 'UTC'` : since.column
}
