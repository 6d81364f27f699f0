import { pageCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import type { Money } from '../../platform/base/money.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { RawRows } from '../../platform/postgres/wire/raw-rows.ts'
import type { SubjectTerms } from '../../records/search/search-term.sql.ts'
import { wholeTerm } from '../../records/search/search-terms.ts'
import {
  type AccountKey,
  type AccountSummaryRow,
  accountApproval,
  accountCount,
  accountSummaryColumns,
} from '../accounts/account.sql.ts'
import {
  type OfferingKey,
  type OfferingRow,
  type OfferingSummaryRow,
  offeringSummaryColumns,
} from '../offerings/offering.sql.ts'
import type { paymentProviders } from './order.schema.ts'
import type { OrderStatus } from './order-status.ts'

export interface OrderKey extends OfferingKey {
  orderId: string
}

/** A row of cell.token_order. Queries read parts of it. */
export interface OrderRow {
  tenantId: string
  id: string
  offeringId: string
  accountId: string
  status: OrderStatus
  units: string
  totalAmount: Money
  paidAmount: Money
  currency: string
  paymentProvider: (typeof paymentProviders)[number] | null
  paymentBankAccount: { account_holder: string; bank: string; bic: string; iban: string; currency: string }
  paymentReference: string
  paymentDueAt: Date
  /** The blockers in the most recent order.blocked event. */
  reportedBlockers: string[]
  mintWalletId: string | null
  mintOpId: string | null
  mintFailures: number
  /** Reason why an order that is READYTOMINT is not minted until an operator releases it. */
  mintHoldReason: string | null
  createdAt: Date
  acceptedAt: Date | null
  paidAt: Date | null
  cancelledAt: Date | null
}

/** Columns that integrators see of an order in a list. */
export type OrderSummaryRow = Pick<
  OrderRow,
  'id' | 'units' | 'totalAmount' | 'paymentProvider' | 'paidAt' | 'paidAmount' | 'currency' | 'status'
>

/** Columns that integrators see of a single order. */
export type OrderDetailRow = OrderSummaryRow &
  Pick<OrderRow, 'paymentBankAccount' | 'createdAt'> &
  AccountSummaryRow &
  OfferingSummaryRow

/** An order that is only shown: its amounts stay the texts of the row, because it is the most frequent read. */
export type ShownOrderRow = Omit<OrderDetailRow, 'totalAmount' | 'paidAmount'> & {
  totalAmount: Money | string
  paidAmount: Money | string
}

export const orderSummaryColumns: Sql = sql`
  token_order.id, token_order.units::text as units, token_order.total_amount::text as "totalAmount",
  token_order.payment_provider as "paymentProvider", token_order.paid_at as "paidAt",
  token_order.paid_amount::text as "paidAmount", token_order.currency, token_order.status`

export const joinAccount: Sql = sql`
  join cell.account on account.tenant_id = token_order.tenant_id and account.id = token_order.account_id`
export const joinOffering: Sql = sql`
  join cell.offering on offering.tenant_id = token_order.tenant_id and offering.id = token_order.offering_id`

export function selectOrdersOfOffering(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  page: Page,
): Promise<RawRows<OrderSummaryRow & AccountSummaryRow>> {
  const count = sql`(select order_count from cell.offering where tenant_id = ${tenantId} and id = ${offeringId})`
  const { where, orderBy } = pageCut(sql`token_order.offering_position`, count, page)
  return tx.rawRows(sql`
    select ${orderSummaryColumns}, ${accountSummaryColumns}
    from cell.token_order ${joinAccount}
    where token_order.tenant_id = ${tenantId} and token_order.offering_id = ${offeringId} and ${where}
    order by ${orderBy}`)
}

export function selectOrdersOfAccount(
  tx: Transaction,
  key: AccountKey,
  page: Page,
): Promise<RawRows<OrderSummaryRow & OfferingSummaryRow>> {
  const { where, orderBy } = pageCut(sql`token_order.account_position`, accountCount(key, 'order_count'), page)
  return tx.rawRows(sql`
    select ${orderSummaryColumns}, ${offeringSummaryColumns}
    from cell.token_order ${joinOffering}
    where token_order.tenant_id = ${key.tenantId} and token_order.account_id = ${key.accountId} and ${where}
    order by ${orderBy}`)
}

export function findOrder(
  tx: Transaction,
  { tenantId, offeringId, orderId }: OrderKey,
): Promise<ShownOrderRow | undefined> {
  return tx.row<ShownOrderRow>(sql`
    select ${orderSummaryColumns}, ${accountSummaryColumns}, ${offeringSummaryColumns},
           token_order.payment_bank_account as "paymentBankAccount", token_order.created_at as "createdAt"
    from cell.token_order ${joinAccount} ${joinOffering}
    where token_order.tenant_id = ${tenantId} and token_order.id = ${orderId}
      and token_order.offering_id = ${offeringId} and offering.status <> 'DRAFT'`)
}

/** Columns of its offering that creating an order needs. */
export interface SaleTerms extends OfferingSummaryRow {
  status: OfferingRow['status']
  currency: string
  availableUnits: string
  minUnits: string | null
  maxUnits: string | null
  opensAt: Date | null
  closesAt: Date | null
  approvalRequired: boolean
  paymentTermDays: number
  paymentBankAccount: OrderRow['paymentBankAccount']
  /** Start of the transaction: the creation time of an order that it inserts. */
  beganAt: Date
}

export function findSaleTerms(tx: Transaction, { tenantId, offeringId }: OfferingKey): Promise<SaleTerms | undefined> {
  return tx.row<SaleTerms>(sql`
    select ${offeringSummaryColumns}, offering.status, offering.currency, offering.min_units::text as "minUnits",
           offering.max_units::text as "maxUnits", offering.opens_at as "opensAt", offering.closes_at as "closesAt",
           offering.approval_required as "approvalRequired", offering.payment_term_days as "paymentTermDays",
           offering.collection_account as "paymentBankAccount", now() as "beganAt",
           (offering.total_units - offering.reserved_units - offering.issued_units)::text as "availableUnits"
    from cell.offering
    where offering.tenant_id = ${tenantId} and offering.id = ${offeringId} and offering.status <> 'DRAFT'`)
}

/** Finds the buying account, unless its data was erased. isApproved is kyb for a company and kyc for an individual. */
export function findBuyer(tx: Transaction, { tenantId, accountId }: AccountKey) {
  return tx.row<AccountSummaryRow & { isApproved: boolean }>(sql`
    select ${accountSummaryColumns},
           ${accountApproval} = 'APPROVED' as "isApproved"
    from cell.account
    where account.tenant_id = ${tenantId} and account.id = ${accountId} and account.erased_at is null`)
}

export type NewOrderRow = Pick<
  OrderRow,
  | 'tenantId'
  | 'id'
  | 'offeringId'
  | 'accountId'
  | 'units'
  | 'totalAmount'
  | 'currency'
  | 'paymentProvider'
  | 'paymentBankAccount'
  | 'paymentReference'
  | 'paymentDueAt'
> & { pricePerToken: string }

/** Reasons why an order could not be inserted. */
export type InsertOrderRejection = 'offering sold out' | 'offering not open' | 'account erased'

/**
 * Reserves the units and inserts the order, in the round trip of the commit: all buyers of the offering compete for the
 * lock on its row, which must not wait for this process. Locks the offering before the account, as the indexer does
 * when an order is minted: in the reverse order, the two would deadlock. Nothing reads the result, so the statement
 * itself must fail: it violates a constraint if the offering is oversold, and has no position if the offering is not
 * open or the account was erased. PostgreSQL checks all three after it has waited for the lock.
 */
export function insertOrder(
  tx: Transaction,
  order: NewOrderRow,
  rejected: (rejection: InsertOrderRejection) => Error,
): void {
  const statement = sql`
    with reserved as (
      update cell.offering
      set order_count = order_count + 1, reserved_units = reserved_units + ${order.units}::numeric
      where tenant_id = ${order.tenantId} and id = ${order.offeringId} and status = 'OPEN'
      returning order_count - 1 as position, acceptance_required
    ), counted as (
      update cell.account set order_count = order_count + 1
      from reserved
      where account.tenant_id = ${order.tenantId} and account.id = ${order.accountId} and account.erased_at is null
      returning account.order_count - 1 as position
    )
    insert into cell.token_order (tenant_id, id, offering_id, account_id, offering_position, account_position, units,
                                  price_per_token, total_amount, currency, payment_provider, payment_bank_account,
                                  payment_reference, payment_due_at, acceptance_required)
    select ${order.tenantId}, ${order.id}, ${order.offeringId}, ${order.accountId}, reserved.position,
           counted.position, ${order.units}, ${order.pricePerToken}, ${order.totalAmount}, ${order.currency},
           ${order.paymentProvider}, ${JSON.stringify(order.paymentBankAccount)}, ${order.paymentReference},
           ${order.paymentDueAt}, reserved.acceptance_required
    from (values (true)) as one left join reserved on true left join counted on true`
  // Queues buyers in front of the row: all who wait for the row itself wake up at each commit, to read it again.
  tx.later(sql`select from pg_advisory_xact_lock(hashtextextended(${`cell.offering ${order.offeringId}`}, 0))`)
  tx.later(statement, ({ constraint, column }) => {
    if (constraint === 'offering_not_oversold') return rejected('offering sold out')
    if (column === 'offering_position') return rejected('offering not open')
    return column === 'account_position' ? rejected('account erased') : undefined
  })
}

/** Returns the reference as the search term of an order: buyers quote it. */
export function orderTerms({ id, paymentReference }: Pick<OrderRow, 'id' | 'paymentReference'>): SubjectTerms {
  return { kind: 'order', subjectId: id, terms: wholeTerm(paymentReference) }
}
