/** The parts of an OpenAPI document that the generators read. */
export interface OpenApiDocument {
  readonly info: { readonly version: string }
  readonly paths: Record<string, Record<string, OpenApiOperation>>
  readonly components: {
    readonly schemas: Record<string, Schema>
    readonly responses: Record<string, OpenApiResponse>
  }
}

export interface OpenApiOperation {
  readonly operationId: string
  /** Empty if the operation takes no access token. */
  readonly security?: readonly unknown[]
  readonly parameters?: readonly OpenApiParameter[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> }
  readonly responses: Record<string, OpenApiResponse>
}

interface OpenApiParameter {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

interface OpenApiResponse {
  readonly $ref?: string
  readonly content?: Record<string, { readonly schema: Schema; readonly examples?: Record<string, unknown> }>
}

/** A condition between members of an object. */
export interface Condition {
  readonly not?: { readonly required?: readonly string[] }
  readonly if?: { readonly properties?: Record<string, { readonly const?: unknown }> }
  readonly then?: { readonly required?: readonly string[]; readonly properties?: Record<string, false> }
}

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly format?: string
  /** Tells the generator that the member must be absent. */
  readonly 'x-never'?: boolean
  readonly pattern?: string
  readonly maximum?: number
  readonly enum?: readonly unknown[]
  readonly required?: readonly string[]
  readonly properties?: Record<string, Schema>
  readonly additionalProperties?: boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly (Schema | Condition)[]
}

/** Returns the operations for integrators. Excludes those of payment providers, which sign requests without a token. */
export function operationsOf(document: OpenApiDocument) {
  return Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
    )
    .filter(({ operation }) => operation.operationId === 'authenticate' || operation.security?.length !== 0)
}

/** Returns true if the value is a whole number of a token's smallest units: a string in JSON, a bigint in the SDK. */
export function isUnits(schema: Schema): boolean {
  return schema.type === 'string' && (schema.format === 'uint256' || schema.pattern === '^(0|[1-9][0-9]*)$')
}
