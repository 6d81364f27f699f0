import { requestErrors } from '../errors/request.errors.ts'

/** Header members of an operation that reads one resource. */
export const readOne = { method: 'GET', idempotency: 'none', errors: [requestErrors.not_found] } as const
