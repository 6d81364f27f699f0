import type { Static } from 'typebox'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Vault } from '../../platform/db/vault.ts'
import { suggestOrders } from './suggest-orders.ts'
import type { UnassignedPayment } from './unassigned-payment.schema.ts'
import type { UnassignedRow } from './unassigned-payment.sql.ts'

/** Who paid and what they wrote, as it is sealed. */
export interface Payer {
  readonly name: string | null
  readonly iban: string | null
  readonly text: string | null
}

/** What the sealed payer is bound to: it opens in this row and nowhere else. */
function sealedPayer(paymentId: string): string {
  return `unassigned payment ${paymentId} payer`
}

export function sealPayer(vault: Vault, paymentId: string, payer: Payer): Promise<Buffer> {
  return vault.seal(JSON.stringify(payer), sealedPayer(paymentId))
}

/** Rows to answers, with suggestions for those that still wait. */
export async function viewUnassigned(
  { tenantId, tx, vault }: { tenantId: string; tx: Transaction; vault: Vault },
  rows: readonly UnassignedRow[],
): Promise<Static<typeof UnassignedPayment>[]> {
  const shown = await Promise.all(
    rows.map(async ({ payer, ...row }) => ({
      row,
      payer: JSON.parse(await vault.open(payer, sealedPayer(row.id))) as Payer,
    })),
  )
  const open = shown.filter(({ row }) => row.status === 'open')
  const suggested = await suggestOrders(
    tx,
    tenantId,
    open.map(({ row: { amount, currency }, payer }) => ({ amount, currency, payerName: payer.name })),
  )
  const suggestionsOf = new Map(open.map(({ row }, place) => [row.id, suggested[place]]))
  return shown.map(({ row, payer }) => ({
    ...row,
    received_at: row.received_at.toISOString(),
    created_at: row.created_at.toISOString(),
    changed_at: row.changed_at.toISOString(),
    payer_name: payer.name,
    payer_iban: payer.iban,
    text: payer.text,
    suggestions: suggestionsOf.get(row.id) ?? [],
  }))
}
