import { inDirectoryTransaction } from '../../db/tenant-transaction.ts'
import type { DirectoryContext, OperatorDirectoryOperation } from '../declare/operation.ts'
import type { PipelineServices } from '../declare/services.ts'
import { operatorOf } from './admission.ts'
import { inputReader } from './input.ts'
import { urlsOf, withLocation } from './request-urls.ts'
import { accessOf, type Runner, requireReport, successResponse } from './runner.ts'

/** Runs an operator user's operation on users or credentials in a transaction of the directory. */
export function operatorDirectoryRunner(
  { header, run }: OperatorDirectoryOperation,
  services: PipelineServices,
): Runner {
  const withInput = inputReader(header)
  const access = accessOf(header)
  const { databases, secretPeppers, targets } = services
  return (request, reply, prefix) =>
    withInput(request, async (input) => {
      const { tenantId, userId: callerId } = operatorOf(request)
      const now = services.clock()
      const urls = urlsOf(header, services, request, prefix, input)
      const response = await inDirectoryTransaction(databases, { tenantId, access }, async (tx) => {
        const trail = services.auditOf({ type: 'user', id: callerId, requestId: request.id })
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
        }
        const result = await run(input, context)
        if (access === 'write') requireReport(header, trail)
        await trail.write(tx)
        return successResponse(header, reply, result)
      })
      return withLocation(header, response, urls)
    })
}
