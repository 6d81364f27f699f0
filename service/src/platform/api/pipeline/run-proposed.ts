import type { Transaction } from '../../db/transaction.ts'
import type { Vault } from '../../db/vault.ts'
import type { OperatorFacts, ProposedRequest } from '../declare/operator-facts.ts'
import type { PipelineServices } from '../declare/services.ts'
import { ApiError } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import { type OperationWithRule, openRequest } from './propose.ts'
import { requireReport } from './runner.ts'
import { requestValidator } from './validation.ts'

interface BaseContext extends OperatorFacts {
  readonly tenantId: string
  readonly tx: Transaction
  readonly vault?: Vault
}

/**
 * Runs confirmed requests of the given operations. The operation sees the proposer as its caller; its audit entries
 * name both persons. The request is validated again, because a new release may have changed the operation since.
 */
export function proposedRunner<Context extends BaseContext>(
  operations: readonly OperationWithRule<Context>[],
  { auditOf }: Pick<PipelineServices, 'auditOf'>,
) {
  const byId = new Map(
    operations.map((operation) => [operation.header.id, { operation, validate: requestValidator(operation) }]),
  )
  return async (
    proposed: ProposedRequest,
    second: { readonly userId: string; readonly requestId: string },
    context: Context,
  ): Promise<unknown> => {
    const known = byId.get(proposed.operation)
    if (!known) throw new Error(`approval ${proposed.id} is for ${proposed.operation}, which is not an operation here`)
    const { header, run, rule } = known.operation
    const { tenantId, tx } = context
    const version = (await rule?.version?.({ tenantId, id: proposed.subjectId }, tx)) ?? ''
    if (version !== proposed.subjectVersion)
      throw new ApiError(
        requestErrors.subject_changed,
        `The ${rule?.subject ?? 'subject'} has changed since this was proposed. Look at it and propose again.`,
      )
    const input = await openRequest(context, proposed)
    if (known.validate({ ...input, params: { ...input.params }, idempotencyKey: undefined }).length > 0)
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
    const result = await run(input, { ...context, operator: proposed.proposer, callerId, audit: trail.add })
    requireReport(header, trail)
    await trail.write(tx)
    return result
  }
}
