import type { Static } from 'typebox'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Vault } from '../../platform/db/vault.ts'
import { suggestOrders } from './suggest-orders.ts'
import type { UnassignedPayment } from './unassigned-payment.schema.ts'
import type { UnassignedPaymentRow } from './unassigned-payment.sql.ts'

interface Context {
  tenantId: string
  tx: Transaction
  vault: Vault
}

/** Who paid and what they wrote. Stored encrypted. */
export interface Payer {
  readonly name: string | null
  readonly iban: string | null
  readonly text: string | null
}

/** Binds the sealed payer to its row: it cannot be opened for another payment. */
export function payerContext(paymentId: string): string {
  return `unassigned payment ${paymentId} payer`
}

export function sealPayer(vault: Vault, paymentId: string, payer: Payer): Promise<Buffer> {
  return vault.seal(JSON.stringify(payer), payerContext(paymentId))
}

/** The views of the rows, with suggestions for those that are open. */
export async function viewUnassignedPayments(
  { tenantId, tx, vault }: Context,
  rows: readonly UnassignedPaymentRow[],
): Promise<Static<typeof UnassignedPayment>[]> {
  const payments = await Promise.all(
    rows.map(async (row) => ({
      row,
      payer: JSON.parse(await vault.open(row.payer, payerContext(row.id))) as Payer,
    })),
  )
  const open = payments.filter(({ row }) => row.status === 'open')
  const suggested = await suggestOrders(
    tx,
    tenantId,
    open.map(({ row: { amount, currency }, payer }) => ({ amount, currency, payerName: payer.name })),
  )
  const suggestionsOf = new Map(open.map(({ row }, index) => [row.id, suggested[index]]))
  return payments.map(({ row, payer }) => ({
    id: row.id,
    provider: row.provider,
    provider_reference: row.providerReference,
    amount: row.amount,
    currency: row.currency,
    received_at: row.receivedAt.toISOString(),
    payer_name: payer.name,
    payer_iban: payer.iban,
    text: payer.text,
    status: row.status,
    order_id: row.orderId,
    dismissal_reason: row.dismissalReason,
    note: row.note,
    created_at: row.createdAt.toISOString(),
    changed_at: row.changedAt.toISOString(),
    suggestions: suggestionsOf.get(row.id) ?? [],
  }))
}

export async function viewUnassignedPayment(
  context: Context,
  row: UnassignedPaymentRow,
): Promise<Static<typeof UnassignedPayment>> {
  const [view] = await viewUnassignedPayments(context, [row])
  if (!view) throw new Error('viewUnassignedPayments returned no view for a row')
  return view
}
