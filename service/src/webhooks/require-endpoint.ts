import { ApiError, validationFailed } from '../platform/api/errors/errors.ts'
import { requestErrors } from '../platform/api/errors/request.errors.ts'
import type { TargetRules } from '../platform/outbound/target-rules.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import { type EndpointKey, type EndpointRow, findEndpoint, lockEndpoint } from './endpoint.sql.ts'
import { webhookErrors } from './webhook.errors.ts'

/** Locks the endpoint, or rejects the request. */
export async function requireEndpoint(tx: Transaction, key: EndpointKey): Promise<EndpointRow> {
  return (await lockEndpoint(tx, key)) ?? rejectUnknown()
}

/** Locks the endpoint for an operation that sends something, and throws if it is disabled. */
export async function requireEnabledEndpoint(tx: Transaction, key: EndpointKey): Promise<EndpointRow> {
  const endpoint = await requireEndpoint(tx, key)
  if (endpoint.disabledAt)
    throw new ApiError(webhookErrors.webhook_endpoint_disabled, 'The webhook endpoint is disabled. Enable it first.')
  return endpoint
}

/** Reads the endpoint without a lock, for responses. */
export async function readEndpoint(tx: Transaction, key: EndpointKey): Promise<EndpointRow> {
  return (await findEndpoint(tx, key)) ?? rejectUnknown()
}

function rejectUnknown(): never {
  throw new ApiError(requestErrors.not_found, 'The webhook endpoint does not exist.')
}

/** Checks the URL itself. Its host name is resolved and checked when a message is sent. */
export function requireTarget(targets: TargetRules, url: string): void {
  const problem = targets.problemOf(url)
  if (problem) throw validationFailed([{ detail: `The member url ${problem}.`, pointer: '/url' }])
}
