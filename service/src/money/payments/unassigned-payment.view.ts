import type { Static } from 'typebox'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Vault } from '../../platform/postgres/vault.ts'
import { viewMaybeOrderLabels } from '../../sales/order-labels/order-labels.view.ts'
import { suggestOrders } from './suggest-orders.ts'
import type {
  ListedUnassignedPayment,
  UnassignedPayment,
  UnassignedPaymentWithParts,
} from './unassigned-payment.schema.ts'
import { type ListedUnassignedRow, selectPartsOfPayment, type UnassignedPaymentRow } from './unassigned-payment.sql.ts'

interface Context {
  tenantId: string
  tx: Transaction
  vault: Vault
}

/** The payer, and the text that came with the payment. Stored encrypted. */
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

export async function openPayer(
  vault: Vault,
  { id, payer }: Pick<UnassignedPaymentRow, 'id' | 'payer'>,
): Promise<Payer> {
  return JSON.parse(await vault.open(payer, payerContext(id))) as Payer
}

/** Includes suggestions if the payment is open. */
export async function viewUnassignedPayment(
  { tenantId, tx, vault }: Context,
  row: UnassignedPaymentRow,
): Promise<Static<typeof UnassignedPayment>> {
  const payer = await openPayer(vault, row)
  const asked = row.status === 'open' ? [{ amount: row.unassignedAmount, payerName: payer.name }] : []
  const [suggestions = []] = await suggestOrders(tx, tenantId, asked)
  return { ...members(row, payer), suggestions }
}

export async function viewListedUnassigned(
  row: ListedUnassignedRow,
  vault: Vault,
): Promise<Static<typeof ListedUnassignedPayment>> {
  return { ...members(row, await openPayer(vault, row)), order: viewMaybeOrderLabels(row) }
}

function members(row: UnassignedPaymentRow, payer: Payer) {
  return {
    id: row.id,
    provider: row.provider,
    provider_reference: row.providerReference,
    amount: row.amount.toString(),
    currency: row.currency,
    unassigned_amount: row.unassignedAmount.toString(),
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
  }
}

export async function viewUnassignedPaymentWithParts(
  context: Context,
  row: UnassignedPaymentRow,
): Promise<Static<typeof UnassignedPaymentWithParts>> {
  const { tenantId, tx } = context
  const parts = await selectPartsOfPayment(tx, { tenantId, paymentId: row.id })
  const view = await viewUnassignedPayment(context, row)
  return {
    ...view,
    parts: parts.map(({ orderId, paymentId, refundId, amount, isReversed }) => ({
      order_id: orderId,
      payment_id: paymentId,
      refund_id: refundId,
      amount,
      is_reversed: isReversed,
    })),
  }
}
