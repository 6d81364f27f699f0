export interface Filter {
  /** Name of the parameter in the address and in the API. */
  readonly name: string
  readonly label: string
  /** Values to choose from. Without them, the person types one. */
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  /** Kind of the typed value, if it is not text. */
  readonly kind?: 'day'
}

/** Returns options labelled with their values. */
export function optionsOf(values: readonly string[]): { value: string; label: string }[] {
  return values.map((value) => ({ value, label: value.replaceAll('_', ' ') }))
}
