/** What the command line has to know of an operation; generated from the API's document. */
export interface OperationFacts {
  readonly summary: string
  readonly description: string
  readonly takesKey: boolean
  /** The ids in its path, from left to right. */
  readonly params: readonly string[]
  readonly query: readonly QueryMember[]
  /** The members of its body that a flag can carry; absent where it takes none. */
  readonly body?: readonly BodyMember[]
}

export interface QueryMember extends Kind {
  readonly name: string
}

export interface BodyMember extends Kind {
  readonly path: readonly string[]
}

interface Kind {
  readonly kind: 'text' | 'integer' | 'boolean'
  readonly choices?: readonly string[]
  readonly description: string
}
