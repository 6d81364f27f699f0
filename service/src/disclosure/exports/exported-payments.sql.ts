import { openPayerAccount } from '../../money/payments/payment-payer.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Vault } from '../../platform/postgres/vault.ts'
import type { Cell } from '../csv.ts'
import { createdBetween } from './created-between.sql.ts'
import type { ExportSource } from './export-source.ts'
import { cellsOf, type Selected, selectionOf } from './exported-columns.sql.ts'
import { limitedTo } from './limited-to.sql.ts'

const columns = {
  payment_id: sql`payment.id`,
  order_id: sql`payment.order_id`,
  payment_reference: sql`token_order.payment_reference`,
  offering_id: sql`token_order.offering_id`,
  account_id: sql`token_order.account_id`,
  provider: sql`payment.provider`,
  provider_reference: sql`payment.provider_reference`,
  amount: sql`payment.amount::text`,
  currency: sql`payment.currency`,
  received_at: sql`payment.received_at`,
  created_at: sql`payment.created_at`,
  approval_id: sql`payment.approval_id`,
  reversed_at: sql`payment.reversed_at`,
}

interface PaymentRow {
  payment_id: string
  /** Sealed. */
  sealedPayer: Buffer | null
}

/** Payments that are booked to orders, reversed ones included. */
export const exportedPayments: ExportSource = {
  duty: 'money',
  columns: Object.keys(columns),
  personalColumns: ['payer', 'payer_iban'],
  filters: ['offering_id', 'from', 'to'],
  nextRows: async (request, { tx, vault }) => {
    const { tenantId, filter, withPersonalData, limit } = request
    const range = createdBetween({ id: sql`payment.id`, createdAt: sql`payment.created_at` }, request)
    const rows = await tx.rows<Selected & PaymentRow>(sql`
      select ${selectionOf(columns)}, payment.payer as "sealedPayer"
      from cell.payment
      join cell.token_order on token_order.tenant_id = ${tenantId} and token_order.id = payment.order_id
      where payment.tenant_id = ${tenantId} and ${range}
        and ${limitedTo(sql`token_order.offering_id`, filter.offering_id)}
      order by payment.id limit ${limit}::bigint`)
    return Promise.all(
      rows.map(async ({ sealedPayer, ...row }) => ({
        key: row.payment_id,
        cells: [
          ...cellsOf(columns, row),
          ...(withPersonalData ? await payerCells(vault, row.payment_id, sealedPayer) : []),
        ],
      })),
    )
  },
}

async function payerCells(vault: Vault, paymentId: string, box: Buffer | null): Promise<Cell[]> {
  if (box === null) return [null, null]
  const { name, iban } = await openPayerAccount(vault, { paymentId, box })
  return [name, iban]
}
