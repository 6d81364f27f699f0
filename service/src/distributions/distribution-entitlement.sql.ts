import { countedPage } from '../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../platform/api/declare/keyset-list.ts'
import type { Money } from '../platform/base/money.ts'
import { readMinor } from '../platform/postgres/read-money.ts'
import { type Sql, sql } from '../platform/postgres/sql.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import {
  type EntitlementRow,
  entitlementColumns,
  joinDistribution,
  readEntitlementAmounts,
} from '../sales/entitlements/entitlement.sql.ts'
import type { EntitlementStatus } from '../sales/entitlements/entitlement-status.ts'
import type { DistributionKey } from './distribution.sql.ts'

export type NewEntitlement = Pick<EntitlementRow, 'id' | 'address' | 'units' | 'accountId' | 'country' | 'status'> & {
  withholdingPercent: string
  grossMinor: bigint
  withheldMinor: bigint
  netMinor: bigint
}

export async function insertEntitlements(
  tx: Transaction,
  { tenantId, distributionId }: DistributionKey,
  all: readonly NewEntitlement[],
  now: Date,
): Promise<void> {
  await tx.rows(sql`
    insert into cell.entitlement (tenant_id, id, distribution_id, address, units, account_id, country,
                                  withholding_percent, gross_minor, withheld_minor, net_minor, status, changed_at)
    select ${tenantId}, id, ${distributionId}, address, units, account_id, country, percent, gross, withheld, net,
           status, ${now}
    from unnest(${all.map(({ id }) => id)}::uuid[], ${all.map(({ address }) => address)}::text[],
                ${all.map(({ units }) => units)}::numeric[], ${all.map(({ accountId }) => accountId)}::uuid[],
                ${all.map(({ country }) => country)}::text[],
                ${all.map(({ withholdingPercent }) => withholdingPercent)}::text[],
                ${all.map(({ grossMinor }) => String(grossMinor))}::numeric[],
                ${all.map(({ withheldMinor }) => String(withheldMinor))}::numeric[],
                ${all.map(({ netMinor }) => String(netMinor))}::numeric[],
                ${all.map(({ status }) => status)}::text[])
      as entitled (id, address, units, account_id, country, percent, gross, withheld, net, status)`)
}

/** Deletes some entitlements of a void calculation and returns their number. */
export async function deleteEntitlements(
  tx: Transaction,
  { tenantId, distributionId }: DistributionKey,
  limit: number,
): Promise<number> {
  const deleted = await tx.rows(sql`
    delete from cell.entitlement where tenant_id = ${tenantId} and id in (
      select id from cell.entitlement where tenant_id = ${tenantId} and distribution_id = ${distributionId}
      order by id limit ${limit}::bigint)
    returning 1`)
  return deleted.length
}

export interface StatusSum {
  status: EntitlementStatus
  count: number
  net: Money
}

export function selectStatusSums(
  tx: Transaction,
  { tenantId, distributionId }: DistributionKey,
  currency: string,
): Promise<StatusSum[]> {
  const sums = tx.rows<StatusSum>(sql`
    select status, count(*)::int as count, sum(net_minor)::text as net, ${currency}::text as currency
    from cell.entitlement where tenant_id = ${tenantId} and distribution_id = ${distributionId}
    group by status order by status`)
  return sums.then(readMinor('net'))
}

export interface BurnCounts {
  waiting: number
  done: number
  failed: number
}

/** Counts the burns of paid entitlements: final, failed, or still open (including those not enqueued yet). */
export async function countBurns(tx: Transaction, { tenantId, distributionId }: DistributionKey): Promise<BurnCounts> {
  const found = await tx.row<BurnCounts>(sql`
    select count(*) filter (where chain_op.state = 'FINAL')::int as done,
           count(*) filter (where chain_op.state in ('REVERTED', 'CANCELLED', 'ALARM'))::int as failed,
           count(*) filter (where chain_op.state is null
                              or chain_op.state not in ('FINAL', 'REVERTED', 'CANCELLED', 'ALARM'))::int as waiting
    from cell.entitlement
    left join cell.chain_op on chain_op.tenant_id = entitlement.tenant_id and chain_op.id = entitlement.burn_op_id
    where entitlement.tenant_id = ${tenantId} and entitlement.distribution_id = ${distributionId}
      and (entitlement.status = 'paid' or entitlement.burn_op_id is not null)`)
  return found ?? { waiting: 0, done: 0, failed: 0 }
}

export type ListedEntitlementRow = EntitlementRow & { accountName: string | null }

const joinListed: Sql = sql`
  ${joinDistribution}
  left join cell.account on account.tenant_id = entitlement.tenant_id and account.id = entitlement.account_id`

export function selectLargest(
  tx: Transaction,
  { tenantId, distributionId }: DistributionKey,
  limit: number,
): Promise<ListedEntitlementRow[]> {
  return tx
    .rows<ListedEntitlementRow>(sql`
    select ${entitlementColumns}, account.full_name as "accountName" from cell.entitlement ${joinListed}
    where entitlement.tenant_id = ${tenantId} and entitlement.distribution_id = ${distributionId}
    order by entitlement.gross_minor desc, entitlement.id desc limit ${limit}::bigint`)
    .then(readEntitlementAmounts)
}

export interface EntitlementFilter {
  status?: readonly string[] | undefined
}

export function pageOfEntitlements(
  tx: Transaction,
  { tenantId, distributionId }: DistributionKey,
  filter: EntitlementFilter,
  page: KeysetPage,
) {
  return countedPage<ListedEntitlementRow>(tx, page, {
    columns: sql`${entitlementColumns}, account.full_name as "accountName"`,
    from: sql`cell.entitlement`,
    joins: joinListed,
    where: sql`entitlement.tenant_id = ${tenantId} and entitlement.distribution_id = ${distributionId}`,
    id: sql`entitlement.id`,
    filter: { column: sql`entitlement.status`, values: filter.status },
    read: readEntitlementAmounts,
  })
}

export interface ChangeSincePrevious {
  id: string
  recordAt: Date
  holdersAdded: number
  holdersRemoved: number
  holdersChanged: number
}

/** Compares the holders with the holders at the last approved distribution before this one. */
export function findChangeSincePrevious(
  tx: Transaction,
  { tenantId, distributionId }: DistributionKey,
): Promise<ChangeSincePrevious | undefined> {
  const units = (id: Sql) => sql`
    select address, units from cell.entitlement where tenant_id = ${tenantId} and distribution_id = ${id}`
  return tx.row<ChangeSincePrevious>(sql`
    select previous.id, previous.record_at as "recordAt", changes.*
    from cell.distribution this
    cross join lateral (
      select distribution.id, distribution.record_at from cell.distribution
      where distribution.tenant_id = ${tenantId} and distribution.offering_id = this.offering_id
        and distribution.id <> this.id and distribution.record_at <= this.record_at
        and distribution.status in ('APPROVED', 'PAYING', 'CLOSED')
      order by distribution.record_at desc, distribution.id desc limit 1
    ) previous
    cross join lateral (
      select count(*) filter (where before.address is null)::int as "holdersAdded",
             count(*) filter (where now.address is null)::int as "holdersRemoved",
             count(*) filter (where before.units <> now.units)::int as "holdersChanged"
      from (${units(sql`this.id`)}) now full join (${units(sql`previous.id`)}) before using (address)
    ) changes
    where this.tenant_id = ${tenantId} and this.id = ${distributionId}`)
}
