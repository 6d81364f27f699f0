import { inDirectoryTransaction } from '../../db/tenant-transaction.ts'
import type { DirectoryContext, OperatorDirectoryOperation } from '../declare/operation.ts'
import type { PipelineServices } from '../declare/services.ts'
import { operatorOf } from './admission.ts'
import { inputReader } from './input.ts'
import { proposeIfNeeded } from './propose.ts'
import { urlsOf, withLocation } from './request-urls.ts'
import type { proposedRunner } from './run-proposed.ts'
import { accessOf, type Runner, requireReport, successResponse } from './runner.ts'

/** Runs an operator user's operation on users or credentials in the directory, or stores it for a second person. */
export function operatorDirectoryRunner(
  operation: OperatorDirectoryOperation,
  services: PipelineServices,
  runConfirmed: ReturnType<typeof proposedRunner<DirectoryContext>>,
): Runner {
  const { header, run } = operation
  const withInput = inputReader(header)
  const access = accessOf(header)
  const { databases, secretPeppers, targets } = services
  return (request, reply, prefix) =>
    withInput(request, async (input) => {
      const operator = operatorOf(request)
      const { tenantId, userId: callerId } = operator
      const now = services.clock()
      const urls = urlsOf(header, services, request, prefix, input)
      const response = await inDirectoryTransaction(databases, { tenantId, access }, async (tx) => {
        const trail = services.auditOf({ type: 'user', id: callerId, requestId: request.id })
        const second = { userId: callerId, requestId: request.id }
        const context: DirectoryContext = {
          tenantId,
          tx,
          secretPeppers,
          now,
          selfUrl: urls.base + urls.canonicalPath,
          callerId,
          scopes: [],
          audit: trail.add,
          targets,
          operator,
          colleagues: header.comparesUsers ? await services.colleaguesOf(tx, tenantId) : [],
          runProposed: (proposed) => runConfirmed(proposed, second, context),
        }
        const proposal = await proposeIfNeeded(operation, input, context, services)
        const made = proposal ?? successResponse(header, reply, await run(input, context))
        if (access === 'write') requireReport(header, trail)
        await trail.write(tx)
        return made
      })
      return withLocation(header, response, urls)
    })
}
