/** One error of the API: its status and type, its cause, and what the caller can do about it. */
export interface DeclaredError {
  readonly code: string
  readonly status: number
  readonly type: string
  readonly cause: string
  readonly remedy: string
}

/** Declares the errors of one resource, keyed by code. error-table.ts collects them for the reference. */
export function declareErrors<const Errors extends Record<string, Omit<DeclaredError, 'code'>>>(
  errors: Errors,
): { readonly [Code in keyof Errors]: DeclaredError } {
  const declared = Object.entries(errors).map(([code, error]) => [code, { code, ...error }])
  return Object.fromEntries(declared) as { [Code in keyof Errors]: DeclaredError }
}
