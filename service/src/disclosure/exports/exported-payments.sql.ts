import { openPayerAccount } from '../../money/payments/payment-payer.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Vault } from '../../platform/postgres/vault.ts'
import type { Cell } from '../csv.ts'
import { createdBetween } from './created-between.sql.ts'
import { type ExportSource, time } from './export-source.ts'
import { limitedTo } from './limited-to.sql.ts'

interface PaymentCells {
  id: string
  orderId: string
  reference: string
  offeringId: string
  accountId: string
  provider: string
  providerReference: string
  amount: string
  currency: string
  receivedAt: Date
  createdAt: Date
  approvalId: string | null
  reversedAt: Date | null
  payer: Buffer | null
}

/** Payments that are booked to orders, reversed ones included. */
export const exportedPayments: ExportSource = {
  duty: 'money',
  columns: [
    'payment_id',
    'order_id',
    'payment_reference',
    'offering_id',
    'account_id',
    'provider',
    'provider_reference',
    'amount',
    'currency',
    'received_at',
    'created_at',
    'approval_id',
    'reversed_at',
  ],
  personalColumns: ['payer', 'payer_iban'],
  filters: ['offering_id', 'from', 'to'],
  nextRows: async (request, { tx, vault }) => {
    const { tenantId, filter, withPersonalData, limit } = request
    const range = createdBetween({ id: sql`payment.id`, createdAt: sql`payment.created_at` }, request)
    const rows = await tx.rows<PaymentCells>(sql`
      select payment.id, payment.order_id as "orderId", token_order.payment_reference as reference,
             token_order.offering_id as "offeringId", token_order.account_id as "accountId", payment.provider,
             payment.provider_reference as "providerReference", payment.amount::text as amount, payment.currency,
             payment.received_at as "receivedAt", payment.created_at as "createdAt",
             payment.approval_id as "approvalId", payment.reversed_at as "reversedAt", payment.payer
      from cell.payment
      join cell.token_order on token_order.tenant_id = ${tenantId} and token_order.id = payment.order_id
      where payment.tenant_id = ${tenantId} and ${range}
        and ${limitedTo(sql`token_order.offering_id`, filter.offering_id)}
      order by payment.id limit ${limit}::bigint`)
    return Promise.all(
      rows.map(async (row) => ({
        key: row.id,
        cells: [
          row.id,
          row.orderId,
          row.reference,
          row.offeringId,
          row.accountId,
          row.provider,
          row.providerReference,
          row.amount,
          row.currency,
          time(row.receivedAt),
          time(row.createdAt),
          row.approvalId,
          time(row.reversedAt),
          ...(withPersonalData ? await payerCells(vault, row) : []),
        ],
      })),
    )
  },
}

async function payerCells(vault: Vault, { id: paymentId, payer: box }: PaymentCells): Promise<Cell[]> {
  if (box === null) return [null, null]
  const { name, iban } = await openPayerAccount(vault, { paymentId, box })
  return [name, iban]
}
