import type { BankAccount } from '../money/payouts/transfer.ts'
import type { Vault } from '../platform/postgres/vault.ts'

interface TransferKey {
  readonly fileId: string
  readonly entitlementId: string
}

/** The vault context of a creditor, so that one transfer's creditor cannot be opened as another's. */
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

/** The vault context of a file, so that one file's box cannot be opened as another's. */
export function distributionFileContext(fileId: string): string {
  return `distribution file ${fileId}`
}
