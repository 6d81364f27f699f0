import type { BankAccount } from '../money/payouts/transfer.ts'
import type { Vault } from '../platform/postgres/vault.ts'

interface TransferKey {
  readonly fileId: string
  readonly entitlementId: string
}

/** The vault context of a creditor, so that the creditor of one transfer cannot be opened as that of another. */
export function entitlementCreditorContext({ fileId, entitlementId }: TransferKey): string {
  return `distribution file ${fileId} entitlement ${entitlementId} creditor`
}

export function sealEntitlementCreditor(
  vault: Vault,
  key: TransferKey,
  { name, iban, bic }: BankAccount,
): Promise<Buffer> {
  return vault.seal(JSON.stringify({ name, iban, bic }), entitlementCreditorContext(key))
}

export async function openEntitlementCreditor(vault: Vault, key: TransferKey, box: Buffer): Promise<BankAccount> {
  return { bic: undefined, ...JSON.parse(await vault.open(box, entitlementCreditorContext(key))) }
}

/** The vault context of a file, so that the box of one file cannot be opened as that of another. */
export function distributionFileContext(fileId: string): string {
  return `distribution file ${fileId}`
}
