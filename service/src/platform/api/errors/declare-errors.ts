/** One error of the API: its status and type, its cause, and what the caller can do about it. */
export interface DeclaredError {
  readonly code: string
  readonly status: number
  readonly type: string
  readonly cause: string
  readonly remedy: string
}

/** An error of a resource. Its type follows from the status unless it is given. */
type Declaration = Omit<DeclaredError, 'code' | 'type'> & { readonly type?: string }

/** Declares the errors of one resource, keyed by code. error-table.ts collects them for the reference. */
export function declareErrors<const Errors extends Record<string, Declaration>>(
  errors: Errors,
): { readonly [Code in keyof Errors]: DeclaredError } {
  const declared = Object.entries(errors).map(([code, error]) => [code, { code, type: typeOf(error.status), ...error }])
  return Object.fromEntries(declared) as { [Code in keyof Errors]: DeclaredError }
}

function typeOf(status: number): string {
  return typeOfStatus[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
}

const typeOfStatus: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  429: 'rate_limit_error',
}
