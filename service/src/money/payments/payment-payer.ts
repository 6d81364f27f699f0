import { newRowId } from '../../platform/base/ids.ts'
import type { Vault } from '../../platform/postgres/vault.ts'
import { ibanTerm } from '../../records/search/search-terms.ts'

/** The account that a payment came from. */
export interface PayerAccount {
  /** Null if the bank reported none. */
  readonly name: string | null
  readonly iban: string
}

/** The payer of a payment, sealed for the id that the payment gets. */
export interface SealedPayer {
  readonly paymentId: string
  readonly box: Buffer
  /** Search terms of the payment: the IBAN as a keyed hash. */
  readonly terms: readonly string[]
}

/** Binds the sealed payer to its row: it cannot be opened for another payment. */
export function paymentPayerContext(paymentId: string): string {
  return `payment ${paymentId} payer`
}

/** Returns undefined without an IBAN: a name alone is of no use for a refund, so it is not kept. */
export async function sealPayerAccount(
  vault: Vault,
  { name, iban }: { name: string | null; iban: string | null },
): Promise<SealedPayer | undefined> {
  if (iban === null) return undefined
  const paymentId = newRowId()
  const payer: PayerAccount = { name, iban }
  const box = await vault.seal(JSON.stringify(payer), paymentPayerContext(paymentId))
  return { paymentId, box, terms: await ibanTerm(vault, iban) }
}

export async function openPayerAccount(
  vault: Vault,
  { paymentId, box }: Pick<SealedPayer, 'paymentId' | 'box'>,
): Promise<PayerAccount> {
  return JSON.parse(await vault.open(box, paymentPayerContext(paymentId))) as PayerAccount
}
