const scaleDigits = 5

/** Parses an unsigned decimal exactly, in units of 0.00001: ISO 20022 allows five decimals. Undefined if invalid. */
export function parseAmount(text: string): bigint | undefined {
  const [, whole, fraction = ''] = /^\+?(\d{1,15})(?:\.(\d{0,5}))?$/.exec(text) ?? []
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(scaleDigits, '0'))
}

/** Formats a parsed amount with the currency's number of decimals, and with more only if they are not zero. */
export function formatAmount(amount: bigint, currencyDigits: number): string {
  const text = String(amount < 0n ? -amount : amount).padStart(scaleDigits + 1, '0')
  const fraction = text.slice(-scaleDigits).replace(/0+$/, '').padEnd(currencyDigits, '0')
  return `${amount < 0n ? '-' : ''}${text.slice(0, -scaleDigits)}${fraction === '' ? '' : `.${fraction}`}`
}
