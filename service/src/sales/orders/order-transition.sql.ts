import { rowFingerprint } from '../../platform/api/declare/row-fingerprint.sql.ts'
import type { Money } from '../../platform/base/money.ts'
import { readMoney } from '../../platform/postgres/read-money.ts'
import { join, raw, type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type AccountType, accountApproval } from '../accounts/account.sql.ts'
import { type Ineligibility, orderIneligibility } from '../blockers/ineligibility.sql.ts'
import { deleteBlockers, insertBlockers, restoreBlockers } from '../blockers/order-blocker.sql.ts'
import { joinAccount, joinOffering, type OrderRow } from './order.sql.ts'
import { canHaveBlockers, type OrderStatus } from './order-status.ts'

export const orderFingerprint = rowFingerprint(sql`cell.token_order`)

export interface OrderId {
  tenantId: string
  orderId: string
}

type OrderColumns = Omit<OrderRow, 'paymentProvider' | 'paymentBankAccount' | 'paymentReference' | 'createdAt'>

/** An order, with the columns of its offering that decide its transitions. */
export interface OrderWithOffering extends OrderColumns, Record<keyof typeof offeringConditions, boolean> {
  paymentTolerance: Money
  acceptanceRequired: boolean
  blockchain: string
  /** True if the offering limits the sum of one account's orders. */
  hasInvestorLimit: boolean
  mintingStopped: string | null
}

export const isOrdered: Sql = sql`token_order.status = 'ORDERED'`
export const isNotPaidInTime: Sql = sql`token_order.status = 'NOPAYMENT'`
export const isPaid: Sql = sql`token_order.status = 'PAID'`

/** Conditions of an offering that block its orders. */
export const offeringConditions = {
  isSoftCapMissing: sql`
    (offering.soft_cap_units is not null or offering.soft_cap_amount is not null) and offering.soft_cap_met_at is null`,
  isTokenMissing: sql`offering.token_deployed_at is null`,
  isTokenUnreadable: sql`offering.token_unreadable_since is not null`,
  isMintingStopped: sql`offering.minting_stopped is not null`,
}

/** Condition on the offering of an order, for statements that do not join it. */
export function ofOfferingWith(condition: Sql): Sql {
  return sql`
    exists (
      select from cell.offering
      where offering.tenant_id = token_order.tenant_id and offering.id = token_order.offering_id and ${condition})`
}

export const orderWithOfferingColumns: Sql = sql`
  token_order.tenant_id as "tenantId", token_order.id, token_order.offering_id as "offeringId",
  token_order.account_id as "accountId", token_order.status, token_order.units::text as units,
  token_order.total_amount::text as "totalAmount", token_order.paid_amount::text as "paidAmount",
  token_order.currency, token_order.paid_at as "paidAt", token_order.cancelled_at as "cancelledAt",
  token_order.payment_due_at as "paymentDueAt", token_order.accepted_at as "acceptedAt",
  token_order.mint_wallet_id as "mintWalletId", token_order.reported_blockers as "reportedBlockers",
  token_order.mint_op_id as "mintOpId", token_order.mint_failures as "mintFailures",
  token_order.mint_hold_reason as "mintHoldReason",
  offering.payment_tolerance::text as "paymentTolerance", offering.acceptance_required as "acceptanceRequired",
  ${join(Object.entries(offeringConditions).map(([name, condition]) => sql`${condition} as ${raw(`"${name}"`)}`))},
  exists (
    select from cell.eligibility
    where eligibility.tenant_id = offering.tenant_id and eligibility.offering_id = offering.id
      and eligibility.investor_max_amount is not null) as "hasInvestorLimit",
  offering.blockchain, offering.minting_stopped as "mintingStopped"`

export const readOrderAmounts = readMoney('totalAmount', 'paidAmount', 'paymentTolerance')

/** Locks the order until the transaction ends. If offeringId is given, only an order of that offering is found. */
export function lockOrder(
  tx: Transaction,
  { tenantId, orderId, offeringId = null }: OrderId & { offeringId?: string | null },
): Promise<OrderWithOffering | undefined> {
  return tx
    .row<OrderWithOffering>(sql`
    select ${orderWithOfferingColumns}
    from cell.token_order ${joinOffering}
    where token_order.tenant_id = ${tenantId} and token_order.id = ${orderId}
      and (${offeringId}::uuid is null or token_order.offering_id = ${offeringId})
    for no key update of token_order`)
    .then(readOrderAmounts)
}

/** Locks orders of a tenant, by id, until the transaction ends. */
export function lockOrders(tx: Transaction, tenantId: string, ids: readonly string[]): Promise<OrderWithOffering[]> {
  return tx
    .rows<OrderWithOffering>(sql`
    select ${orderWithOfferingColumns}
    from cell.token_order ${joinOffering}
    where token_order.tenant_id = ${tenantId} and token_order.id = any (${ids}::uuid[])
    order by token_order.id
    for no key update of token_order`)
    .then(readOrderAmounts)
}

/**
 * Updates an order whose row the caller has locked. Compares and sets the status, so that even a caller without the
 * lock cannot overwrite a concurrent transition. Returns false if the order is no longer in the status `from`.
 */
export async function updateOrder(tx: Transaction, from: OrderStatus, order: OrderWithOffering): Promise<boolean> {
  const [updated] = await tx.batch(
    (tx) => setOrder(tx, from, order),
    (tx) => updateBlockers(tx, from, order),
  )
  return updated !== undefined
}

function setOrder(tx: Transaction, from: OrderStatus, order: OrderWithOffering): Promise<object | undefined> {
  return tx.row<object>(sql`
    update cell.token_order
    set status = ${order.status}, paid_amount = ${order.paidAmount}, paid_at = ${order.paidAt},
        cancelled_at = ${order.cancelledAt}, payment_due_at = ${order.paymentDueAt}, accepted_at = ${order.acceptedAt},
        mint_wallet_id = ${order.mintWalletId}, reported_blockers = ${order.reportedBlockers},
        mint_op_id = ${order.mintOpId}, mint_failures = ${order.mintFailures},
        mint_hold_reason = ${order.mintHoldReason}, ready_at = ${readyAt(order)}
    where tenant_id = ${order.tenantId} and id = ${order.id} and status = ${from}
    returning id`)
}

/** Returns the time at which an order last became ready to mint, including by an operator's release. For alerts. */
function readyAt({ status, mintHoldReason }: OrderWithOffering): Sql {
  if (status !== 'READYTOMINT') return sql`ready_at`
  return sql`case when status <> 'READYTOMINT' or (mint_hold_reason is not null and ${mintHoldReason}::text is null)
             then clock_timestamp() else ready_at end`
}

/** Updates the blockers that a transition changes. Those that depend on the account change with the account. */
async function updateBlockers(tx: Transaction, from: OrderStatus, order: OrderWithOffering): Promise<void> {
  if (!canHaveBlockers(order.status)) return deleteBlockers(tx, order, sql`true`)
  if (!canHaveBlockers(from)) return restoreBlockers(tx, order)
  const isOnHold = order.status === 'READYTOMINT' && order.mintHoldReason !== null
  await tx.batch(
    (tx) => order.acceptedAt !== null && deleteBlockers(tx, order, sql`code = 'acceptance_missing'`),
    (tx) => isOnHold && insertBlockers(tx, order.tenantId, order.id),
    (tx) => from === 'READYTOMINT' && !isOnHold && deleteBlockers(tx, order, sql`code = 'mint_on_hold'`),
  )
}

/** Sets the provider of the most recent payment. The caller has locked the order. */
export async function setPaymentProvider(
  tx: Transaction,
  { tenantId, id }: OrderWithOffering,
  provider: NonNullable<OrderRow['paymentProvider']>,
): Promise<void> {
  await tx.rows(sql`
    update cell.token_order set payment_provider = ${provider} where tenant_id = ${tenantId} and id = ${id}`)
}

const supplyUpdates: Record<'reserve' | 'release' | 'issue', (units: string) => Sql> = {
  reserve: (units) => sql`reserved_units = reserved_units + ${units}::numeric`,
  release: (units) => sql`reserved_units = reserved_units - ${units}::numeric`,
  issue: (units) => sql`
    reserved_units = reserved_units - ${units}::numeric, issued_units = issued_units + ${units}::numeric`,
}

/**
 * Reserves, releases or issues the units of an order in the offering's supply. Returns false if they cannot be
 * reserved, because too few are available or the offering is not open: PostgreSQL checks both again after it has waited
 * for the row lock.
 */
export async function adjustSupply(
  tx: Transaction,
  { tenantId, offeringId, units }: OrderWithOffering,
  effect: 'reserve' | 'release' | 'issue',
): Promise<boolean> {
  const isAvailable =
    effect === 'reserve'
      ? sql`status = 'OPEN' and reserved_units + issued_units + ${units}::numeric <= total_units`
      : sql`true`
  const moved = await tx.row(sql`
    update cell.offering set ${supplyUpdates[effect](units)}
    where tenant_id = ${tenantId} and id = ${offeringId} and ${isAvailable}
    returning id`)
  return moved !== undefined
}

/**
 * Counts an order that became paid, or is no longer paid, towards the soft cap of its offering. Returns true if this
 * order has reached it. A soft cap that is met stays met, and one that was missed can never be met.
 */
export async function countTowardsSoftCap(
  tx: Transaction,
  { tenantId, offeringId, units, totalAmount }: OrderWithOffering,
  effect: 'add' | 'remove',
): Promise<boolean> {
  const [addedUnits, addedAmount] = effect === 'add' ? [units, totalAmount] : [`-${units}`, totalAmount.negated()]
  const funded = await tx.row<{ isMet: boolean }>(sql`
    update cell.offering
    set funded_units = funded_units + ${addedUnits}::numeric, funded_amount = funded_amount + ${addedAmount}::numeric,
        soft_cap_met_at = case
          when funded_units + ${addedUnits}::numeric >= coalesce(soft_cap_units, 0)
            and funded_amount + ${addedAmount}::numeric >= coalesce(soft_cap_amount, 0) and refund_all_at is null
          then clock_timestamp() end
    where tenant_id = ${tenantId} and id = ${offeringId} and soft_cap_met_at is null
      and (soft_cap_units is not null or soft_cap_amount is not null)
    returning soft_cap_met_at is not null as "isMet"`)
  return funded?.isMet === true
}

/** Facts about the account of an order that the mint preconditions depend on. */
export interface AccountFacts {
  accountType: AccountType
  approval: string
  benefitingPersonCount: number
  /**
   * The mint wallet of the order if it is still active, otherwise the active wallet on the chain that was proven first.
   * A wallet that is proven later never replaces it, even if it was registered earlier.
   */
  walletId: string | null
  /** Rules of the offering that the order or its account fails; empty without rules. */
  ineligibility: Ineligibility[]
}

/** Columns of AccountFacts, for statements with the order, its account and its offering. */
export const accountFactColumns: Sql = sql`
  account.type as "accountType", ${accountApproval} as approval,
  account.benefiting_person_count as "benefitingPersonCount",
  (select wallet.id from cell.wallet
   where wallet.tenant_id = token_order.tenant_id and wallet.account_id = token_order.account_id
     and wallet.status = 'ACTIVE' and wallet.blockchain = offering.blockchain
   order by wallet.id is not distinct from token_order.mint_wallet_id desc, wallet.proven_at, wallet.position
   limit 1) as "walletId",
  ${orderIneligibility} as ineligibility`

/** Returns the account facts of several orders of a tenant. */
export function selectAccountFacts(tx: Transaction, tenantId: string, orderIds: readonly string[]) {
  return tx.rows<AccountFacts & { orderId: string }>(sql`
    select token_order.id as "orderId", ${accountFactColumns}
    from cell.token_order ${joinAccount} ${joinOffering}
    where token_order.tenant_id = ${tenantId} and token_order.id = any (${orderIds}::uuid[])`)
}

/** Orders of a tenant by id: the first ones after the id `after`. */
export interface OrderPage {
  readonly tenantId: string
  readonly after: string
  readonly limit: number
}

const inPage = ({ tenantId, after, limit }: OrderPage, isWanted: Sql): Sql => sql`
  token_order.tenant_id = ${tenantId} and token_order.id > ${after}::uuid and ${isWanted}
  order by token_order.id limit ${limit}::bigint`

export function selectIdsOfOffering(
  tx: Transaction,
  offeringId: string,
  isWanted: Sql,
  page: OrderPage,
): Promise<{ id: string }[]> {
  const ofOffering = sql`token_order.offering_id = ${offeringId} and ${isWanted}`
  return tx.rows(sql`select token_order.id from cell.token_order where ${inPage(page, ofOffering)}`)
}

/** Returns orders of an account that are PAID or READYTOMINT, or ORDERED and free. */
export function selectOrdersToRecheck(
  tx: Transaction,
  accountId: string,
  page: OrderPage,
): Promise<OrderWithOffering[]> {
  const ofAccount = sql`
    token_order.account_id = ${accountId}
    and (token_order.status in ('PAID', 'READYTOMINT')
         or (token_order.status = 'ORDERED' and token_order.total_amount = 0))`
  return tx
    .rows<OrderWithOffering>(sql`
    select ${orderWithOfferingColumns} from cell.token_order ${joinOffering} where ${inPage(page, ofAccount)}`)
    .then(readOrderAmounts)
}
