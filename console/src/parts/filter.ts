export interface Filter {
  /** The parameter of the address and of the API. */
  readonly name: string
  readonly label: string
  /** The values to choose from; without them the person types one. */
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  /** What the person types, if it is not text. */
  readonly kind?: 'day'
}

/** Options whose label is the value. */
export function optionsOf(values: readonly string[]): { value: string; label: string }[] {
  return values.map((value) => ({ value, label: value.replaceAll('_', ' ') }))
}
