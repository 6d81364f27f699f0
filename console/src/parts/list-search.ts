/** The state of a list in its address. Free text is not part of it: it may be personal data. */
export type ListSearch<Name extends string = string> = { readonly [name in Name | 'direction' | 'hide']?: string }

/** Keeps the named parameters and drops everything else. */
export function listSearch<Name extends string>(...names: readonly Name[]) {
  return (search: Readonly<Record<string, unknown>>): ListSearch<Name> => {
    const kept = [...names, 'direction', 'hide'].flatMap((name) => {
      const value = search[name]
      return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : []
    })
    return Object.fromEntries(kept) as ListSearch<Name>
  }
}
