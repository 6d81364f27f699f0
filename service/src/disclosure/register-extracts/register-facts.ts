/** Facts of an extract other than its rows. `offering` and `restrictions` appear in the file unchanged. */
export interface RegisterFacts {
  readonly offering: {
    readonly id: string
    readonly name: string
    readonly symbol: string
    readonly blockchain: string
    readonly token_address: string | null
    readonly decimals: number
    readonly isin: string | null
    readonly issuer_name: string | null
    readonly issuer_lei: string | null
    readonly nominal_amount: string | null
    readonly nominal_currency: string | null
  }
  /** The last block that changed the register; 0 before the first. */
  readonly block: number
  readonly blockHash: string | null
  readonly blockTime: string | null
  readonly totalUnits: bigint
  /** Values at the time of the extract: they are not on the chain. */
  readonly restrictions: {
    readonly lock_up_until: string | null
    readonly allowed_countries: readonly string[] | null
    readonly refused_countries: readonly string[]
    readonly account_types: readonly string[] | null
    readonly is_invited_only: boolean
  }
}

/** Scope of an extract: which holders, as of when, and with or without names. */
export interface ExtractScope {
  readonly id: string
  /** Null means all holders. */
  readonly accountId: string | null
  /** The requested time; null if a block was requested. */
  readonly at: string | null
  readonly createdAt: Date
  readonly withNames: boolean
}

/** Returns the exact nominal value of units, or null without a nominal value. */
export function nominalOf(
  units: string,
  { nominal_amount: amount, decimals }: Pick<RegisterFacts['offering'], 'nominal_amount' | 'decimals'>,
): string | null {
  if (amount === null) return null
  const [whole = '', fraction = ''] = amount.split('.')
  const scale = fraction.length + decimals
  const digits = String(BigInt(units) * BigInt(whole + fraction)).padStart(scale + 1, '0')
  const decimal = digits.slice(digits.length - scale).replace(/0+$/, '')
  return digits.slice(0, digits.length - scale) + (decimal === '' ? '' : `.${decimal}`)
}
