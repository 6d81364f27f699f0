import { authenticate } from './credentials/authenticate.ts'
import type { Operation } from './http/operation.ts'
import { getOffering } from './offerings/get-offering.ts'

/** The integrator's API at a glance. Each entry is a file of the same name. */
export const operations: readonly Operation[] = [
  authenticate, // POST /auth
  getOffering, // GET /offerings/:offeringId
]
