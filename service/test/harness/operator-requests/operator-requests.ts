import { accessRequests } from './access-requests.ts'
import { consoleRequests } from './console-requests.ts'
import { distributionRequests } from './distribution-requests.ts'
import { kycRequests } from './kyc-requests.ts'
import { moneyRequests } from './money-requests.ts'
import type { OperatorRequest } from './operator-request.ts'
import { salesRequests } from './sales-requests.ts'
import { tokenRequests } from './token-requests.ts'
import { transferRequests } from './transfer-requests.ts'
import { webhookRequests } from './webhook-requests.ts'

/** Valid requests of the operations of the operator API, by id. Reads without required parameters need none. */
export const operatorRequests: Readonly<Record<string, OperatorRequest>> = {
  ...salesRequests,
  ...kycRequests,
  ...moneyRequests,
  ...distributionRequests,
  ...tokenRequests,
  ...transferRequests,
  ...accessRequests,
  ...webhookRequests,
  ...consoleRequests,
}

/** Returns a valid request of an operation. */
export function operatorRequestOf({ id, method }: { id: string; method: string }): OperatorRequest {
  const request = operatorRequests[id] ?? (method === 'GET' ? {} : undefined)
  if (!request) throw new Error(`harness/operator-requests has no valid request of ${id}: add one.`)
  return request
}
