import { randomInt } from 'node:crypto'

// Letters only, so that each counts as two digits of the sum: modulo 97 then notices every wrong letter and every swap
// of two neighbours, which it does not where a letter stands beside a digit (2M and M2 are alike to it). Without O and
// I, which people take for digits.
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const length = 14

/**
 * What a buyer writes on the transfer: a creditor reference of ISO 11649, which banks carry through unchanged and whose
 * two check digits show a typing error.
 */
export function newPaymentReference(): string {
  const body = Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
  return `RF${String(98 - remainderOf(`${body}RF00`)).padStart(2, '0')}${body}`
}

/** Whether somebody has mistyped it. */
export function isPaymentReference(text: string): boolean {
  return /^RF\d\d[0-9A-Z]{1,21}$/.test(text) && remainderOf(text.slice(4) + text.slice(0, 4)) === 1
}

/** How a reference looks once the spaces and dashes are gone that people put in and banks break lines with. */
export function normalizedReference(text: string): string {
  return text.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')
}

/**
 * Every reference that may stand somewhere in what a payer wrote. Where it ends cannot be seen once spaces are ignored,
 * so each length is tried whose check digits fit; which of them are an order's is for the database to say. Those of
 * orders from before the check digits begin with IT.
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

// A transfer carries 140 characters and a few more with structured parts; beyond this nobody writes a reference.
const searchedLengthMax = 4_000

/** Modulo 97 of the text with each letter as two digits, A being 10. */
function remainderOf(text: string): number {
  const digits = text.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return Number(BigInt(digits) % 97n)
}
