import { accessRequests } from './access-requests.ts'
import { consoleRequests } from './console-requests.ts'
import { moneyRequests } from './money-requests.ts'
import type { OperatorRequest } from './operator-request.ts'
import { salesRequests } from './sales-requests.ts'
import { tokenRequests } from './token-requests.ts'
import { webhookRequests } from './webhook-requests.ts'

/** A valid request of each operation of the operator API, by its id. */
export const operatorRequests: Readonly<Record<string, OperatorRequest>> = {
  ...salesRequests,
  ...moneyRequests,
  ...tokenRequests,
  ...accessRequests,
  ...webhookRequests,
  ...consoleRequests,
}
