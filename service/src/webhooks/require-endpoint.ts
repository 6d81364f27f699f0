import { ApiError, validationFailed } from '../platform/api/errors/errors.ts'
import { requestErrors } from '../platform/api/errors/request.errors.ts'
import type { Transaction } from '../platform/db/transaction.ts'
import type { TargetRules } from '../platform/outbound/target-rules.ts'
import { type EndpointKey, type EndpointRow, findEndpoint, lockEndpoint } from './endpoint.sql.ts'
import { webhookErrors } from './webhook.errors.ts'

/** The endpoint, held until the end of the transaction. */
export async function requireEndpoint(tx: Transaction, key: EndpointKey): Promise<EndpointRow> {
  return (await lockEndpoint(tx, key)) ?? refuse()
}

/** The same for what sends something: a disabled endpoint gets nothing. */
export async function requireEnabledEndpoint(tx: Transaction, key: EndpointKey): Promise<EndpointRow> {
  const endpoint = await requireEndpoint(tx, key)
  if (endpoint.disabledAt)
    throw new ApiError(webhookErrors.webhook_endpoint_disabled, 'The endpoint is disabled: enable it first.')
  return endpoint
}

/** The endpoint as it is at the end of a request. */
export async function readEndpoint(tx: Transaction, key: EndpointKey): Promise<EndpointRow> {
  return (await findEndpoint(tx, key)) ?? refuse()
}

function refuse(): never {
  throw new ApiError(requestErrors.not_found, 'There is no such webhook endpoint.')
}

/** What can be known of an address without a look at the network; its name is looked up when something is sent. */
export function requireTarget(targets: TargetRules, url: string): void {
  const problem = targets.problemOf(url)
  if (problem) throw validationFailed([{ detail: `The member url ${problem}.`, pointer: '/url' }])
}
