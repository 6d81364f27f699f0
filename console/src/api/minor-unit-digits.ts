/** Decimal places by currency, from the service: browsers deviate from ISO 4217 for some currencies. */
let digitsOf: Readonly<Record<string, number>> = {}

export function learnMinorUnitDigits(ofAll: Readonly<Record<string, number>>): void {
  digitsOf = ofAll
}

/** Returns the decimal places of a currency; 0 if the text is not a currency, for example while it is being typed. */
export function scaleOf(currency: string): number {
  return digitsOf[currency] ?? 0
}

export function isCurrency(code: string): boolean {
  return code in digitsOf
}
