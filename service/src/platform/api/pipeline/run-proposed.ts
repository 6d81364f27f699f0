import type { Transaction } from '../../postgres/transaction.ts'
import type { Vault } from '../../postgres/vault.ts'
import { changedParts } from '../declare/approval.ts'
import { maskOf, unchanged } from '../declare/masked.ts'
import type { OperatorFacts, ProposedRequest, ReadableRequest, StoredRequest } from '../declare/operator-facts.ts'
import type { PipelineServices } from '../declare/services.ts'
import { ApiError } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import { type OperationWithRule, openRequest, openRequestWithSecrets } from './propose.ts'
import { requireReport } from './runner.ts'
import { requestValidator } from './validation.ts'

interface BaseContext extends OperatorFacts {
  readonly tenantId: string
  readonly tx: Transaction
  readonly vault?: Vault
}

/** Access to the requests that were stored for a second person. */
export interface Proposals<Context> {
  /**
   * Runs a confirmed request. The operation sees the proposer as its caller; its audit entries name both persons. The
   * request is validated again, because a new release may have changed the operation in the meantime.
   */
  readonly run: (
    proposed: ProposedRequest,
    second: { readonly userId: string; readonly requestId: string },
    context: Context,
  ) => Promise<unknown>
  /** Returns the request as its readers may see it: without secrets, and masked like the responses of its operation. */
  readonly read: (stored: StoredRequest, context: Context) => Promise<ReadableRequest>
}

export function proposalsOf<Context extends BaseContext>(
  operations: readonly OperationWithRule<Context>[],
  { auditOf }: Pick<PipelineServices, 'auditOf'>,
): Proposals<Context> {
  const byId = new Map(operations.map((operation) => [operation.header.id, known(operation)]))
  const operationOf = ({ id, operation }: StoredRequest) => {
    const found = byId.get(operation)
    if (!found) throw new Error(`approval ${id} is for ${operation}, which is not an operation here`)
    return found
  }
  return {
    read: async (stored, context) => {
      const { params, query, body = null } = await openRequest(context, stored)
      return { params: { ...params }, query, body: operationOf(stored).maskBody(body) }
    },
    run: async (proposed, second, context) => {
      const { operation, validate, maskResult } = operationOf(proposed)
      const { header, run, rule } = operation
      const { tenantId, tx } = context
      const fingerprint = (await rule?.fingerprint?.({ tenantId, id: proposed.subjectId }, tx)) ?? ''
      if (fingerprint !== proposed.subjectVersion)
        throw subjectChanged(rule?.subject, proposed.subjectVersion, fingerprint)
      const input = await openRequestWithSecrets(context, proposed)
      if (validate({ ...input, params: { ...input.params }, idempotencyKey: undefined }).length > 0)
        throw new ApiError(
          requestErrors.subject_changed,
          `${header.id} no longer accepts this request as it was proposed. Propose it again.`,
        )
      const trail = auditOf({
        type: 'user',
        id: proposed.proposer.userId,
        requestId: second.requestId,
        confirmation: { userId: second.userId, approvalId: proposed.id },
      })
      const callerId = proposed.proposer.userId
      const people = { operator: proposed.proposer, callerId, confirmedBy: second.userId }
      const result = await run(input, { ...context, ...people, audit: trail.add })
      requireReport(header, trail)
      await trail.write(tx)
      return maskResult(result)
    },
  }
}

function subjectChanged(subject = 'subject', before: string, after: string): ApiError {
  const parts = changedParts(before, after).join(', ')
  const what = parts ? `: ${parts}` : ''
  return new ApiError(
    requestErrors.subject_changed,
    `The ${subject} has changed since this was proposed${what}. Look at it and propose again.`,
  )
}

/** Compiles the header of an operation once. */
function known<Context>(operation: OperationWithRule<Context>) {
  const { body, success } = operation.header
  const [maskBody, maskResult] = [maskOf(body) ?? unchanged, maskOf(success.body) ?? unchanged]
  return { operation, validate: requestValidator(operation), maskBody, maskResult }
}
