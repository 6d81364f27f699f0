import { sql } from '../platform/postgres/sql.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import type { DistributionKey } from './distribution.sql.ts'

/** Starts a calculation. The entitlements of an earlier one are void; the job deletes them first. */
export async function setCalculating(
  tx: Transaction,
  { tenantId, distributionId }: DistributionKey,
  { recordBlock, supply, totalMinor }: { recordBlock: bigint; supply: bigint; totalMinor: bigint },
): Promise<void> {
  await tx.rows(sql`
    update cell.distribution
    set status = 'CALCULATING', record_block = ${String(recordBlock)}, supply = ${String(supply)},
        total_minor = ${String(totalMinor)}, units_sum = 0, gross_minor = 0, withheld_minor = 0, apart_minor = 0,
        holder_count = 0, apart_count = 0, cursor = null, failure = null, calculated_at = null
    where tenant_id = ${tenantId} and id = ${distributionId}`)
}

/** Result of one calculated batch of holders. */
export interface CalculatedBatch {
  cursor: string
  units: bigint
  grossMinor: bigint
  withheldMinor: bigint
  apartMinor: bigint
  holders: number
  apart: number
}

export async function addCalculated(
  tx: Transaction,
  { tenantId, distributionId }: DistributionKey,
  added: CalculatedBatch,
): Promise<void> {
  await tx.rows(sql`
    update cell.distribution
    set cursor = ${added.cursor}, units_sum = units_sum + ${String(added.units)}::numeric,
        gross_minor = gross_minor + ${String(added.grossMinor)}::numeric,
        withheld_minor = withheld_minor + ${String(added.withheldMinor)}::numeric,
        apart_minor = apart_minor + ${String(added.apartMinor)}::numeric,
        holder_count = holder_count + ${added.holders}::int, apart_count = apart_count + ${added.apart}::int
    where tenant_id = ${tenantId} and id = ${distributionId} and status = 'CALCULATING'`)
}

export async function setCalculated(tx: Transaction, { tenantId, distributionId }: DistributionKey, now: Date) {
  await tx.rows(sql`
    update cell.distribution set status = 'CALCULATED', calculated_at = ${now}, cursor = null
    where tenant_id = ${tenantId} and id = ${distributionId} and status = 'CALCULATING'`)
}

export async function setCalculationFailed(
  tx: Transaction,
  { tenantId, distributionId }: DistributionKey,
  failure: string,
): Promise<void> {
  await tx.rows(sql`
    update cell.distribution set status = 'DRAFT', failure = ${failure}, cursor = null
    where tenant_id = ${tenantId} and id = ${distributionId} and status = 'CALCULATING'`)
}

export async function setApproved(tx: Transaction, { tenantId, distributionId }: DistributionKey, now: Date) {
  await tx.rows(sql`
    update cell.distribution set status = 'APPROVED', approved_at = ${now}
    where tenant_id = ${tenantId} and id = ${distributionId} and status = 'CALCULATED'`)
}

/** Lets the job write files for the due entitlements that are in no file yet. */
export async function setPaying(tx: Transaction, { tenantId, distributionId }: DistributionKey, now: Date) {
  await tx.rows(sql`
    update cell.distribution
    set status = 'PAYING', paying_at = coalesce(paying_at, ${now}), closed_at = null, is_filing = true, cursor = null
    where tenant_id = ${tenantId} and id = ${distributionId} and status in ('APPROVED', 'PAYING', 'CLOSED')`)
}

/** Moves the job that writes files past a batch. */
export async function addFiled(
  tx: Transaction,
  { tenantId, distributionId }: DistributionKey,
  { cursor, files }: { cursor: string | null; files: number },
): Promise<void> {
  await tx.rows(sql`
    update cell.distribution
    set cursor = ${cursor}, file_count = file_count + ${files}::int, is_filing = ${cursor !== null}
    where tenant_id = ${tenantId} and id = ${distributionId} and status = 'PAYING' and is_filing`)
}

export async function setClosed(tx: Transaction, { tenantId, distributionId }: DistributionKey, now: Date) {
  await tx.rows(sql`
    update cell.distribution set status = 'CLOSED', closed_at = ${now}
    where tenant_id = ${tenantId} and id = ${distributionId} and status = 'PAYING'`)
}

export async function setCancelled(tx: Transaction, { tenantId, distributionId }: DistributionKey): Promise<void> {
  await tx.rows(sql`
    update cell.distribution set status = 'CANCELLED', cursor = null
    where tenant_id = ${tenantId} and id = ${distributionId}
      and status in ('DRAFT', 'CALCULATING', 'CALCULATED', 'APPROVED')`)
}
