import { pageCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import type { Money } from '../../platform/base/money.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import { readMinor } from '../../platform/postgres/read-money.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import { type AccountKey, accountCount } from '../accounts/account.sql.ts'
import { burnQueue } from './burn-queue.ts'
import type { distributionKinds } from './entitlement.schema.ts'
import { type EntitlementStatus, entitlementEvent } from './entitlement-status.ts'

export interface EntitlementKey {
  tenantId: string
  entitlementId: string
}

/** A row of cell.entitlement, with the columns of its distribution. */
export interface EntitlementRow {
  id: string
  distributionId: string
  offeringId: string
  kind: (typeof distributionKinds)[number]
  currency: string
  recordAt: Date
  payOn: string
  address: string
  units: string
  /** Null if no account has the address. */
  accountId: string | null
  country: string | null
  withholdingPercent: string
  gross: Money
  withheld: Money
  net: Money
  status: EntitlementStatus
  leftOut: string | null
  failure: string | null
  approvedBankAccountVersion: number | null
  changedAt: Date
  burnOpId: string | null
}

export const entitlementColumns: Sql = sql`
  entitlement.id, entitlement.distribution_id as "distributionId", distribution.offering_id as "offeringId",
  distribution.kind, distribution.currency, distribution.record_at as "recordAt", distribution.pay_on::text as "payOn",
  entitlement.address, entitlement.units::text as units, entitlement.account_id as "accountId", entitlement.country,
  entitlement.withholding_percent as "withholdingPercent", entitlement.gross_minor::text as gross,
  entitlement.withheld_minor::text as withheld, entitlement.net_minor::text as net, entitlement.status,
  entitlement.left_out as "leftOut", entitlement.failure,
  entitlement.approved_bank_account_version as "approvedBankAccountVersion", entitlement.changed_at as "changedAt",
  entitlement.burn_op_id as "burnOpId"`

export const readEntitlementAmounts = readMinor('gross', 'withheld', 'net')

export const joinDistribution: Sql = sql`
  join cell.distribution on distribution.tenant_id = entitlement.tenant_id
    and distribution.id = entitlement.distribution_id`

/**
 * Locks the entitlement until the transaction ends. Finds it once its distribution is approved, even before it is sent:
 * after a restore, a bank may report a payment that the database has lost.
 */
export function lockEntitlement(
  tx: Transaction,
  { tenantId, entitlementId }: EntitlementKey,
): Promise<EntitlementRow | undefined> {
  return tx
    .row<EntitlementRow>(sql`
    select ${entitlementColumns} from cell.entitlement ${joinDistribution}
    where entitlement.tenant_id = ${tenantId} and entitlement.id = ${entitlementId}
      and distribution.status in ('APPROVED', 'PAYING', 'CLOSED')
    for update of entitlement`)
    .then(readEntitlementAmounts)
}

export interface EntitlementChange {
  to: EntitlementStatus
  now: Date
  failure?: string
  /** The bank reports a transfer that may have been sent after the moment that the database was restored to. */
  isAfterRestore?: boolean
}

/** Moves an entitlement, whose row the caller has locked, to another status and records its event. */
export async function moveEntitlement(
  tx: Transaction,
  tenantId: string,
  entitlement: EntitlementRow,
  { to, now, failure, isAfterRestore = false }: EntitlementChange,
): Promise<EntitlementRow> {
  const type = entitlementEvent(entitlement.status, to, isAfterRestore)
  if (type === undefined) throw new Error(`an entitlement that is ${entitlement.status} cannot become ${to}`)
  const moved = { ...entitlement, status: to, failure: to === 'returned' ? (failure ?? null) : null, changedAt: now }
  const isBurnt = to === 'paid' && entitlement.kind === 'REDEMPTION'
  const [changed] = await tx.batch(
    (tx) =>
      tx.row(sql`
      update cell.entitlement set status = ${to}, failure = ${moved.failure}, left_out = null, changed_at = ${now}
      where tenant_id = ${tenantId} and id = ${entitlement.id} and status = ${entitlement.status}
      returning id`),
    (tx) => type && recordEvent(tx, tenantId, { type, data: eventData(moved) }),
    (tx) => isBurnt && enqueueJob(tx, burnQueue, { tenant_id: tenantId, distribution_id: entitlement.distributionId }),
  )
  if (!changed) throw new Error('an entitlement changed although its row was locked')
  return moved
}

function eventData({ id, distributionId, offeringId, accountId, net, currency, status }: EntitlementRow) {
  return {
    entitlement_id: id,
    distribution_id: distributionId,
    offering_id: offeringId,
    account_id: accountId,
    amount: net.toString(),
    currency,
    status,
  }
}

/** Returns the entitlements of an account in distributions whose payment has begun. */
export function selectEntitlementsOfAccount(tx: Transaction, key: AccountKey, page: Page): Promise<EntitlementRow[]> {
  const { where, orderBy } = pageCut(sql`entitlement.account_position`, accountCount(key, 'entitlement_count'), page)
  return tx
    .rows<EntitlementRow>(sql`
    select ${entitlementColumns} from cell.entitlement ${joinDistribution}
    where entitlement.tenant_id = ${key.tenantId} and entitlement.account_id = ${key.accountId} and ${where}
    order by ${orderBy}`)
    .then(readEntitlementAmounts)
}
