/** Decimal places by currency, from the service: those of the browser differ from ISO 4217 for some currencies. */
let digitsOf: Readonly<Record<string, number>> = {}

export function learnMinorUnitDigits(ofAll: Readonly<Record<string, number>>): void {
  digitsOf = ofAll
}

/** Digits after the point of a currency; 0 for a text that is no currency, such as one that is being typed. */
export function scaleOf(currency: string): number {
  return digitsOf[currency] ?? 0
}

export function isCurrency(code: string): boolean {
  return code in digitsOf
}
