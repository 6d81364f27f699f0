/** Description of an operation for the command line, generated from the OpenAPI document. */
export interface OperationDescription {
  readonly summary: string
  readonly description: string
  readonly takesKey: boolean
  /** Path parameters, from left to right. */
  readonly params: readonly string[]
  readonly query: readonly QueryMember[]
  /** Body members that a flag can set; absent if the operation takes no body. */
  readonly body?: readonly BodyMember[]
}

export interface QueryMember extends Kind {
  readonly name: string
}

export interface BodyMember extends Kind {
  readonly path: readonly string[]
}

/** An operation of the operator API, with the name of its command. */
export interface OperatorOperation extends OperationDescription {
  readonly id: string
  readonly noun: string
  readonly verb: string
  /** Path parameter with the id of the resource itself, which is an argument. */
  readonly subject?: string
  readonly method: string
  readonly path: string
  /** Maximum page size of a list; absent if the response is not a page. */
  readonly pageMax?: number
  /** Media types of a file that replaces the JSON body. */
  readonly uploads?: readonly string[]
  /** True if the response is a file or a stream. */
  readonly isFile?: boolean
}

export interface Kind {
  /** `list` is comma-separated texts. `json` is anything that no other kind can express. */
  readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'json'
  readonly choices?: readonly string[]
  readonly description: string
}
