/** The amount of an approval, with the decimal places of the service: those of the browser differ for some currencies. */
export function amountText({ decimal_amount: amount, currency }) {
  const digits = amount.split('.')[1]?.length ?? 0
  const format = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  // From text: an amount may have more digits than a number keeps exactly.
  return format.format(amount)
}
