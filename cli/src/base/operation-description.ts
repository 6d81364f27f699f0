/** An operation as the command line needs it; generated from the OpenAPI document. */
export interface OperationDescription {
  readonly summary: string
  readonly description: string
  readonly takesKey: boolean
  /** The path parameters, from left to right. */
  readonly params: readonly string[]
  readonly query: readonly QueryMember[]
  /** The body members that a flag can set; absent if the operation takes no body. */
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
