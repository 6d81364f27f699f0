/** As much of an OpenAPI document as the generators look at. */
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
  /** Empty where it takes no token. */
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

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly required?: readonly string[]
  readonly properties?: Record<string, Schema>
  readonly additionalProperties?: boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** What an integrator calls. Payment providers call too, with a signature instead of a token: that is not ours to do. */
export function operationsOf(document: OpenApiDocument) {
  return Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
    )
    .filter(({ operation }) => operation.operationId === 'authenticate' || operation.security?.length !== 0)
}

/** A whole number of a token's smallest unit, which JSON carries as text and the SDK as bigint. */
export function isUnits(schema: Schema): boolean {
  return schema.type === 'string' && (schema.format === 'uint256' || schema.pattern === '^(0|[1-9][0-9]*)$')
}
