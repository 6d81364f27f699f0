import type { Static, TSchema } from 'typebox'
import type { ApprovalRow } from '../../platform/api/pipeline/approval.sql.ts'
import { raw, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { AccountKey } from '../../sales/accounts/account.sql.ts'
import { ordersOf, type SealedRows } from './erase.sql.ts'
import {
  type SubjectEntitlement,
  type SubjectOrder,
  type SubjectPayment,
  type SubjectRefund,
  type SubjectWallet,
  subjectRowsMax,
} from './subject-data.schema.ts'

// One row more than fits, which shows that a list is not complete. The columns are named as in the API.
const end = raw(`limit ${subjectRowsMax + 1}`)

/** An item of a list as PostgreSQL returns it: with its time as a date. */
type Selected<Item extends TSchema, Time extends keyof Static<Item>> = Omit<Static<Item>, Time> & Record<Time, Date>

type WalletData = Selected<typeof SubjectWallet, 'created_at'>

export function selectWalletData(tx: Transaction, { tenantId, accountId }: AccountKey): Promise<WalletData[]> {
  return tx.rows<WalletData>(sql`
    select id, blockchain, public_address, name, status, created_at from cell.wallet
    where tenant_id = ${tenantId} and account_id = ${accountId} order by position ${end}`)
}

type OrderData = Selected<typeof SubjectOrder, 'created_at'>

export function selectOrderData(tx: Transaction, { tenantId, accountId }: AccountKey): Promise<OrderData[]> {
  return tx.rows<OrderData>(sql`
    select token_order.id, token_order.offering_id, offering.name as offering_name, token_order.status,
           token_order.units::text as units, token_order.total_amount::text as total_amount, token_order.currency,
           token_order.payment_reference, token_order.created_at
    from cell.token_order
    join cell.offering on offering.tenant_id = token_order.tenant_id and offering.id = token_order.offering_id
    where token_order.tenant_id = ${tenantId} and token_order.account_id = ${accountId}
    order by token_order.account_position ${end}`)
}

/** `payer` is sealed. */
type PaymentData = Omit<Selected<typeof SubjectPayment, 'received_at'>, 'payer_name' | 'payer_iban'> & {
  payer: Buffer | null
}

export function selectPaymentData(tx: Transaction, key: AccountKey): Promise<PaymentData[]> {
  return tx.rows<PaymentData>(sql`
    select id, order_id, amount::text as amount, currency, received_at, payer from cell.payment
    where tenant_id = ${key.tenantId} and order_id in ${ordersOf(key)} order by id ${end}`)
}

type RefundData = Selected<typeof SubjectRefund, 'created_at'>

export function selectRefundData(tx: Transaction, key: AccountKey): Promise<RefundData[]> {
  return tx.rows<RefundData>(sql`
    select id, order_id, amount::text as amount, currency, status, failure, created_at from cell.refund
    where tenant_id = ${key.tenantId} and order_id in ${ordersOf(key)} order by id ${end}`)
}

export type EntitlementData = Omit<
  Selected<typeof SubjectEntitlement, 'record_at'>,
  'gross_amount' | 'withheld_amount' | 'net_amount'
> & { grossMinor: string; withheldMinor: string; netMinor: string }

export function selectEntitlementData(tx: Transaction, { tenantId, accountId }: AccountKey) {
  return tx.rows<EntitlementData>(sql`
    select entitlement.id, distribution_id, distribution.offering_id, distribution.kind, entitlement.address,
           entitlement.units::text as units, entitlement.gross_minor::text as "grossMinor",
           entitlement.withheld_minor::text as "withheldMinor", entitlement.net_minor::text as "netMinor",
           distribution.currency, entitlement.country, entitlement.status, entitlement.failure, distribution.record_at
    from cell.entitlement
    join cell.distribution on distribution.tenant_id = entitlement.tenant_id
      and distribution.id = entitlement.distribution_id
    where entitlement.tenant_id = ${tenantId} and entitlement.account_id = ${accountId}
      and distribution.status in ('APPROVED', 'PAYING', 'CLOSED')
    order by entitlement.id ${end}`)
}

/** Sealed rows of the ids that `selectSealedRows` found for the account: exports and erasures cover the same rows. */
export interface SealedSubjectData {
  transfers: { payoutId: string; refundId: string; creditor: Buffer }[]
  entitlementTransfers: { fileId: string; entitlementId: string; creditor: Buffer }[]
  unassignedPayments: { id: string; amount: string; currency: string; receivedAt: Date; payer: Buffer }[]
  bankEntries: {
    id: string
    bookedOn: string
    amount: string
    details: Buffer
    note: string | null
    resolution: string | null
  }[]
  notes: { id: string; createdAt: Date; text: Buffer }[]
  approvals: Pick<ApprovalRow, 'id' | 'operation' | 'state' | 'proposedAt' | 'expiresAt' | 'request'>[]
}

export async function selectSealedData(
  tx: Transaction,
  tenantId: string,
  found: SealedRows & { subjects: readonly string[] },
): Promise<SealedSubjectData> {
  const [transfers, entitlementTransfers, unassignedPayments, bankEntries, notes, approvals] = await tx.batch(
    (tx) =>
      tx.rows<SealedSubjectData['transfers'][number]>(sql`
      select payout_id as "payoutId", refund_id as "refundId", creditor from cell.payout_refund
      where tenant_id = ${tenantId} and refund_id = any (${found.transfers.map(({ refundId }) => refundId)}::uuid[])
      order by refund_id, payout_id ${end}`),
    (tx) =>
      tx.rows<SealedSubjectData['entitlementTransfers'][number]>(sql`
      select file_id as "fileId", entitlement_id as "entitlementId", creditor from cell.distribution_transfer
      where tenant_id = ${tenantId}
        and entitlement_id = any (${found.entitlementTransfers.map(({ entitlementId }) => entitlementId)}::uuid[])
      order by entitlement_id, file_id ${end}`),
    (tx) =>
      tx.rows<SealedSubjectData['unassignedPayments'][number]>(sql`
      select id, amount::text as amount, currency, received_at as "receivedAt", payer from cell.unassigned_payment
      where tenant_id = ${tenantId} and id = any (${found.unassignedPayments}::uuid[]) order by id ${end}`),
    (tx) =>
      tx.rows<SealedSubjectData['bankEntries'][number]>(sql`
      select id, booked_on::text as "bookedOn", amount::text as amount, details, note, resolution from cell.bank_entry
      where tenant_id = ${tenantId} and id = any (${found.bankEntries}::uuid[]) order by id ${end}`),
    (tx) =>
      tx.rows<SealedSubjectData['notes'][number]>(sql`
      select id, created_at as "createdAt", text from cell.note
      where tenant_id = ${tenantId} and subject_id = any (${found.subjects}::uuid[]) order by id ${end}`),
    (tx) =>
      tx.rows<SealedSubjectData['approvals'][number]>(sql`
      select id, operation, state, proposed_at as "proposedAt", expires_at as "expiresAt", request from base.approval
      where tenant_id = ${tenantId} and database = 'cell' and id = any (${found.approvals}::uuid[])
      order by proposed_at ${end}`),
  )
  return { transfers, entitlementTransfers, unassignedPayments, bankEntries, notes, approvals }
}

export function selectRecords(tx: Transaction, { tenantId, accountId }: AccountKey) {
  return tx.rows<{ at: Date; action: string }>(sql`
    select at, action from base.audit_log
    where tenant_id = ${tenantId} and subject_id = ${accountId} order by sequence ${end}`)
}
