/** Replaces each letter by two digits: A is 10, Z is 35 (ISO 6166 and ISO 7064). */
function digitsOf(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
}

/** Returns true for an ISIN (ISO 6166) with the right check digit: the Luhn sum of its digits ends with 0. */
export function isIsin(text: string): boolean {
  if (!/^[A-Z]{2}[A-Z0-9]{9}[0-9]$/.test(text)) return false
  let sum = 0
  for (const [index, digit] of [...digitsOf(text)].toReversed().entries()) {
    const value = index % 2 === 0 ? Number(digit) : Number(digit) * 2
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** Returns true for an LEI (ISO 17442) with the right check digits: modulo 97 it is 1 (ISO 7064 MOD 97-10). */
export function isLei(text: string): boolean {
  return /^[A-Z0-9]{18}[0-9]{2}$/.test(text) && BigInt(digitsOf(text)) % 97n === 1n
}
