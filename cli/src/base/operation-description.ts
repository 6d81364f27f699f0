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

/** An operation of the operator API, with the name of its command. */
export interface OperatorOperation extends OperationDescription {
  readonly id: string
  readonly noun: string
  readonly verb: string
  /** The path parameter with the id of the resource itself, which is an argument. */
  readonly subject?: string
  readonly method: string
  readonly path: string
  /** The largest page of a list; absent if the response is not a page. */
  readonly pageMax?: number
  /** The media types of a file that replaces the JSON body. */
  readonly uploads?: readonly string[]
  /** The response is a file or a stream. */
  readonly isFile?: boolean
}

export interface Kind {
  /** `list`: texts, separated by commas. `json`: anything that no other kind can express. */
  readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'json'
  readonly choices?: readonly string[]
  readonly description: string
}
