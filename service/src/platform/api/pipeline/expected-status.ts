import type { Transaction } from '../../postgres/transaction.ts'
import type { DecisionHeader } from '../declare/decision.ts'
import type { ValidatedInput } from '../declare/operation.ts'
import { ApiError } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import { findLastChange } from './last-change.sql.ts'

/**
 * Throws if the status has changed since the caller saw it. The resource is locked, so the status stays until the end
 * of the transaction.
 */
export async function requireExpectedStatus(
  { decides }: DecisionHeader,
  input: ValidatedInput,
  { tenantId, tx }: { readonly tenantId: string; readonly tx: Transaction },
): Promise<void> {
  const { expected_status: expected } = input.query as { expected_status?: string }
  if (!decides || expected === undefined) return
  const status = await decides.statusOf(input, { tenantId, tx })
  if (status === null || status === expected) return
  const change = await findLastChange(tx, tenantId, Object.values(input.params)[0] ?? '')
  const last = change
    ? ` The last change in the audit log is ${change.action} by ${change.actorType} ${change.actorId ?? ''} ` +
      `at ${change.at.toISOString()}.`
    : ' No person has changed it.'
  const detail = `The ${decides.subject} is ${status}, not ${expected}.${last.replace('  ', ' ')}`
  throw new ApiError(requestErrors.status_changed, detail, { failures: [{ detail, parameter: 'expected_status' }] })
}
