import type { Vault } from '../../platform/postgres/vault.ts'
import type { BankAccount } from './transfer.ts'

interface TransferKey {
  readonly payoutId: string
  readonly refundId: string
}

/** The vault context of a creditor, so that one transfer's creditor cannot be opened as another's. */
export function creditorContext({ payoutId, refundId }: TransferKey): string {
  return `payout ${payoutId} refund ${refundId} creditor`
}

export function sealCreditor(vault: Vault, key: TransferKey, { name, iban, bic }: BankAccount): Promise<Buffer> {
  return vault.seal(JSON.stringify({ name, iban, bic }), creditorContext(key))
}

export async function openCreditor(vault: Vault, key: TransferKey, box: Buffer): Promise<BankAccount> {
  return { bic: undefined, ...JSON.parse(await vault.open(box, creditorContext(key))) }
}
