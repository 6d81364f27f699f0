import { createHash } from 'node:crypto'
import type { ParsedEntry } from './statement-parts.ts'

/**
 * Identifies an entry across files and formats: an entry whose fingerprint is stored has no effect again. Changing what
 * goes into it would import known entries once more, and pay their orders twice.
 */
export function entryFingerprint(account: string, entry: ParsedEntry): string {
  const { amount, isCredit, isReversal, bookedOn, bankReference, entryNumber, ordinal, details } = entry
  const { endToEndId, creditorReference, text, payerName, payerIban, isReturn, returnCode, returnText } = details
  // Includes amount and direction, because banks often give a fee or a reversal the reference of its transfer.
  const common = [account, amount.partsAt(5), !isCredit, isReversal]
  const texts = [endToEndId, creditorReference, text, payerName, payerIban, isReturn, returnCode, returnText]
  return bankReference
    ? hashOf(['reference', ...common, bankReference, ordinal])
    : hashOf(['contents', ...common, bookedOn, entryNumber, ordinal, ...texts])
}

function hashOf(parts: readonly (string | number | bigint | boolean | null)[]): string {
  const text = JSON.stringify(parts.map((part) => (part === null ? null : String(part))))
  return createHash('sha256').update(text).digest('base64url')
}
