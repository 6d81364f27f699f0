import { Money } from '../base/money.ts'

type Read = <Found>(found: Found) => Found

/** Returns a function that reads these decimals of rows as amounts in the currency of their row, in place. */
export function readMoney(...columns: readonly string[]): Read {
  return reader(columns, Money.parse)
}

/** Like readMoney, for columns in minor units. */
export function readMinor(...columns: readonly string[]): Read {
  return reader(columns, (text, currency) => Money.ofMinor(BigInt(text), currency))
}

function reader(columns: readonly string[], parse: (text: string, currency: string) => Money): Read {
  const read = (row: Record<string, unknown>) => {
    for (const column of columns) {
      const text = row[column]
      if (typeof text === 'string') row[column] = parse(text, row['currency'] as string)
    }
  }
  return (found) => {
    if (Array.isArray(found)) found.forEach(read)
    else if (found !== undefined) read(found as Record<string, unknown>)
    return found
  }
}
