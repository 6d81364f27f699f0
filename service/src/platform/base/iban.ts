import { electronicFormatIBAN, isValidIBAN } from 'ibantools'

/** Returns the IBAN as banks transmit it. Printed ones also come in groups of four and in lower case. */
export function electronicIban(text: string): string {
  return (electronicFormatIBAN(text) ?? '').toUpperCase()
}

/** Returns true for an IBAN (ISO 13616) with the length of its country and correct check digits. */
export function isIban(text: string): boolean {
  return isValidIBAN(electronicIban(text))
}
