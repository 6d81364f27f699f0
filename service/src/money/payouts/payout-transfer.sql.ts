import { countedPage } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import type { Money } from '../../platform/base/money.ts'
import { readMoney } from '../../platform/postgres/read-money.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { type RefundRow, refundColumns } from '../../sales/refunds/refund.sql.ts'
import { coveredAmountFor } from '../payments/refund-coverage.sql.ts'
import type { creditorSources } from './payout.schema.ts'
import type { PayoutKey } from './payout.sql.ts'
import type { EnteredBankAccount } from './transfer.ts'

export type CreditorSource = (typeof creditorSources)[number]

/** A refund with the bank accounts that its transfer needs. */
export interface PayableRefund extends RefundRow {
  paymentReference: string
  collectionAccount: EnteredBankAccount
  /** The order's proven money that is left for refunds; see coveredAmountFor. */
  coveredAmount: Money
  /** Null if an unassigned payment goes back to its payer. */
  investor: RefundedInvestor | null
  /** Payer of an unassigned payment that goes back, encrypted. */
  unassignedPayer: Buffer | null
}

export interface RefundedInvestor {
  accountId: string
  accountName: string
  /** Encrypted. */
  bankAccount: Buffer
  bankAccountVersion: number
  bankAccountChangedAt: Date | null
}

/** Text of a refund in the file, and the tenant's account that pays it. */
const transferParts = sql`
  coalesce(token_order.payment_reference,
           'your payment of ' || to_char(unassigned_payment.received_at at time zone 'utc', 'YYYY-MM-DD'))
    as "paymentReference",
  coalesce(token_order.payment_bank_account, refund.collection_account) as "collectionAccount"`

const joinOrderOrUnassigned = sql`
  left join cell.token_order on token_order.tenant_id = refund.tenant_id and token_order.id = refund.order_id
  left join cell.unassigned_payment on unassigned_payment.tenant_id = refund.tenant_id
    and unassigned_payment.id = refund.unassigned_payment_id`

const payableColumns = sql`
  ${refundColumns}, ${transferParts}, unassigned_payment.payer as "unassignedPayer",
  account.id as "accountId", account.full_name as "accountName", account.bank_account as "bankAccount",
  account.bank_account_version as "bankAccountVersion", account.bank_account_changed_at as "bankAccountChangedAt",
  (${coveredAmountFor(null)})::text as "coveredAmount"`

const withBankAccounts = sql`
  ${joinOrderOrUnassigned}
  left join cell.account on account.tenant_id = token_order.tenant_id and account.id = token_order.account_id`

const readAmounts = readMoney('amount', 'coveredAmount')

const isAvailable = sql`
  not exists (select from cell.payout_refund
              where payout_refund.tenant_id = refund.tenant_id and payout_refund.refund_id = refund.id
                and payout_refund.is_open)`

/**
 * Locks due refunds, oldest first, and then reads which of them are in no open payout. The second statement has its own
 * snapshot, so a transaction that waited for the locks sees the refunds that a concurrent payout has taken.
 */
export async function lockAvailableRefunds(
  tx: Transaction,
  { tenantId, currency, limit }: { tenantId: string; currency: string | null; limit: number },
): Promise<PayableRefund[]> {
  const locked = await tx.rows<{ id: string }>(sql`
    select id from cell.refund
    where tenant_id = ${tenantId} and status = 'due' and (${currency}::text is null or currency = ${currency})
      and ${isAvailable}
    order by id limit ${limit}::bigint for update`)
  const rows = await tx.rows<FlatPayableRefund>(sql`
    select ${payableColumns} from cell.refund ${withBankAccounts}
    where refund.tenant_id = ${tenantId} and refund.id = any(${locked.map(({ id }) => id)}::uuid[])
      and refund.status = 'due' and ${isAvailable}
    order by refund.id`)
  return readAmounts(rows).map(
    ({ accountId, accountName, bankAccount, bankAccountVersion, bankAccountChangedAt, ...refund }) => ({
      ...refund,
      investor:
        accountId === null ? null : { accountId, accountName, bankAccount, bankAccountVersion, bankAccountChangedAt },
    }),
  )
}

/** A selected row: the columns of the investor are null if there is none. */
type FlatPayableRefund = Omit<PayableRefund, 'investor'> &
  Omit<RefundedInvestor, 'accountId'> & { accountId: string | null }

export async function countDueRefundsInOpenPayouts(tx: Transaction, tenantId: string): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.payout_refund
    join cell.refund on refund.tenant_id = payout_refund.tenant_id and refund.id = payout_refund.refund_id
    where payout_refund.tenant_id = ${tenantId} and payout_refund.is_open and refund.status = 'due'`)
  return found?.count ?? 0
}

/** A payment that a refund pays back, entirely or in part. */
export interface RefundedPayment {
  refundId: string
  paymentId: string
  /** Sealed; null if the payer's IBAN is not known. */
  payer: Buffer | null
}

/**
 * Selects the payments that the refunds pay back: the one that a refund names, or else all of the order except reversed
 * ones and those that another refund names.
 */
export function selectRefundedPayments(tx: Transaction, tenantId: string, refundIds: readonly string[]) {
  return tx.rows<RefundedPayment>(sql`
    select refund.id as "refundId", payment.id as "paymentId", payment.payer
    from cell.refund
    join cell.payment on payment.tenant_id = refund.tenant_id and payment.order_id = refund.order_id
    where refund.tenant_id = ${tenantId} and refund.id = any(${refundIds}::uuid[])
      and case
        when refund.payment_id is not null then payment.id = refund.payment_id
        else payment.reversed_at is null and not exists (
          select from cell.refund own
          where own.tenant_id = payment.tenant_id and own.order_id = payment.order_id and own.payment_id = payment.id
            and own.status <> 'withdrawn' and own.amount = payment.amount)
      end
    order by payment.id`)
}

/** A refund in a payout, with the creditor that was chosen when the payout was created. */
export interface TransferRow extends RefundRow {
  paymentReference: string
  collectionAccount: EnteredBankAccount
  creditorSource: CreditorSource
  /** Sealed. */
  creditor: Buffer
  earlierPayouts: EarlierPayout[]
}

/** A payout whose file has paid a refund before. Its time is text in ISO 8601. */
export interface EarlierPayout {
  payoutId: string
  downloadedAt: string
}

export async function insertTransfers(
  tx: Transaction,
  { tenantId, payoutId }: PayoutKey,
  transfers: readonly { refundId: string; creditor: Buffer; source: CreditorSource }[],
): Promise<void> {
  await tx.rows(sql`
    insert into cell.payout_refund (tenant_id, payout_id, refund_id, creditor, creditor_source)
    select ${tenantId}, ${payoutId}, refund_id, creditor, source
    from unnest(${transfers.map(({ refundId }) => refundId)}::uuid[],
                ${transfers.map(({ creditor }) => creditor)}::bytea[],
                ${transfers.map(({ source }) => source)}::text[]) as transfer (refund_id, creditor, source)`)
}

const transferColumns = sql`
  ${refundColumns}, ${transferParts},
  payout_refund.creditor_source as "creditorSource", payout_refund.creditor,
  (select coalesce(jsonb_agg(jsonb_build_object('payoutId', payout.id, 'downloadedAt', payout.downloaded_at)
                             order by payout.downloaded_at), '[]')
   from cell.payout_refund earlier
   join cell.payout on payout.tenant_id = earlier.tenant_id and payout.id = earlier.payout_id
   where earlier.tenant_id = payout_refund.tenant_id and earlier.refund_id = payout_refund.refund_id
     and earlier.payout_id <> payout_refund.payout_id and payout.status = 'downloaded') as "earlierPayouts"`

const joinRefund = sql`
  join cell.refund on refund.tenant_id = payout_refund.tenant_id and refund.id = payout_refund.refund_id
  ${joinOrderOrUnassigned}`
const ofPayout = sql`from cell.payout_refund ${joinRefund}`

/**
 * Locks the payout's refunds that are still due, so that no concurrent request withdraws them, and then reads how much
 * money covers them: the second statement sees what a request that had the locks before has committed.
 */
export async function lockDueTransfers(
  tx: Transaction,
  { tenantId, payoutId }: PayoutKey,
): Promise<(TransferRow & Pick<PayableRefund, 'coveredAmount'>)[]> {
  await tx.rows(sql`
    select refund.id ${ofPayout}
    where payout_refund.tenant_id = ${tenantId} and payout_refund.payout_id = ${payoutId} and refund.status = 'due'
    order by refund.id for update of refund`)
  const due = await tx.rows<TransferRow & Pick<PayableRefund, 'coveredAmount'>>(sql`
    select ${transferColumns}, (${coveredAmountFor(payoutId)})::text as "coveredAmount" ${ofPayout}
    where payout_refund.tenant_id = ${tenantId} and payout_refund.payout_id = ${payoutId} and refund.status = 'due'
    order by refund.id`)
  return readAmounts(due)
}

export function pageOfTransfers(tx: Transaction, { tenantId, payoutId }: PayoutKey, page: KeysetPage) {
  return countedPage<TransferRow>(tx, page, {
    columns: transferColumns,
    from: sql`cell.payout_refund`,
    joins: joinRefund,
    where: sql`payout_refund.tenant_id = ${tenantId} and payout_refund.payout_id = ${payoutId}`,
    id: sql`payout_refund.refund_id`,
    read: readAmounts,
  })
}
