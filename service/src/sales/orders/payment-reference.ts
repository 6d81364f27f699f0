import { randomInt } from 'node:crypto'

// Letters only: each counts as two digits of the checksum, so modulo 97 detects every wrong letter and every swap of
// two neighbours. With digits mixed in it would not: 2M and M2 have the same checksum. O and I are left out, because
// people read them as digits.
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const length = 14

/**
 * Creates the reference that a buyer quotes on the bank transfer: an ISO 11649 creditor reference, which banks pass on
 * unchanged and whose two check digits reveal a typo.
 */
export function newPaymentReference(): string {
  const body = Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
  return `RF${String(98 - remainderOf(`${body}RF00`)).padStart(2, '0')}${body}`
}

/** Returns true if the text has the form of an ISO 11649 reference and correct check digits. */
export function isPaymentReference(text: string): boolean {
  return /^RF\d\d[0-9A-Z]{1,21}$/.test(text) && remainderOf(text.slice(4) + text.slice(0, 4)) === 1
}

/** Removes the spaces and dashes that people insert and with which banks break lines. */
export function normalizedReference(text: string): string {
  return text.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')
}

/**
 * Finds every possible reference in what a payer wrote. Without spaces the end of a reference is ambiguous, so this
 * returns each length whose check digits match, and the database decides which of them belong to an order. References
 * of orders created before the check digits were introduced start with IT.
 */
export function paymentReferencesIn(text: string): string[] {
  const squeezed = normalizedReference(text.slice(0, searchedLengthMax))
  const found = new Set<string>()
  for (const { index } of squeezed.matchAll(/(?=RF\d\d[0-9A-Z])/g))
    for (let end = index + 5; end <= Math.min(index + 25, squeezed.length); end += 1) {
      const candidate = squeezed.slice(index, end)
      if (isPaymentReference(candidate)) found.add(candidate)
    }
  for (const [, old = ''] of squeezed.matchAll(/(?=(IT[0-9A-F]{16}))/g)) found.add(old)
  return [...found]
}

// A transfer carries 140 characters, and a few more in structured fields. This limit only bounds the search.
const searchedLengthMax = 4_000

/** Returns the text modulo 97, with each letter replaced by two digits (A is 10). */
function remainderOf(text: string): number {
  const digits = text.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return Number(BigInt(digits) % 97n)
}
