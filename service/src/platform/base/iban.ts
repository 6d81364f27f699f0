import { electronicFormatIBAN, isValidIBAN } from 'ibantools'

/** The IBAN as banks send it: they also print it in groups of four and in lower case. */
export function electronicIban(text: string): string {
  return (electronicFormatIBAN(text) ?? '').toUpperCase()
}

/** An IBAN (ISO 13616) with the length of its country and the right check digits. */
export function isIban(text: string): boolean {
  return isValidIBAN(electronicIban(text))
}
