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

/** A valid request of each operation of the operator API, by its id. */
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
