import { inDirectoryTransaction, inTenantTransaction } from '../../postgres/cells/tenant-transaction.ts'
import { maskOf, unchanged } from '../declare/masked.ts'
import type { DirectoryContext, OperatorDirectoryOperation } from '../declare/operation.ts'
import type { PipelineServices } from '../declare/services.ts'
import { inTurn } from '../overload/heavy-requests.ts'
import { operatorOf } from './admission.ts'
import { inputReader } from './input.ts'
import { proposeIfNeeded } from './propose.ts'
import { originOf, urlsOf, withLocation } from './request-urls.ts'
import { requireDutyForOffering } from './require-offering.ts'
import type { Proposals } from './run-proposed.ts'
import { accessOf, type Runner, requireReport, serializerOf, successResponse } from './runner.ts'

/** Runs an operator user's operation on users or credentials in the directory, or stores it for a second person. */
export function operatorDirectoryRunner(
  operation: OperatorDirectoryOperation,
  services: PipelineServices,
  proposals: Proposals<DirectoryContext>,
): Runner {
  const { header, run } = operation
  const withInput = inputReader(header)
  const access = accessOf(header)
  const mask = maskOf(header.success.body) ?? unchanged
  const { databases, secretPeppers, targets } = services
  return (request, reply, prefix) =>
    withInput(request, async (input) => {
      const operator = operatorOf(request)
      const { tenantId, userId: callerId, identityId } = operator
      const person = header.presentsPerson && identityId ? { identityId } : {}
      const now = services.clock()
      const urls = urlsOf(header, services, request, prefix, input)
      const response = await inTurn(databases, header, input, tenantId, ({ isPinned, begin }) =>
        inDirectoryTransaction(databases, { tenantId, ...person, access, isPinned }, async (tx) => {
          if (isPinned) await begin(tx)
          const trail = services.auditOf({ type: 'user', id: callerId, requestId: request.id })
          const second = { userId: callerId, requestId: request.id }
          const context: DirectoryContext = {
            tenantId,
            tx,
            secretPeppers,
            origin: originOf(services, request),
            now,
            selfUrl: urls.base + urls.canonicalPath,
            callerId,
            scopes: [],
            audit: trail.add,
            targets,
            operator,
            confirmedBy: null,
            colleagues: header.comparesUsers ? await services.colleaguesOf(tx, tenantId) : [],
            readOther: (work) => {
              if (access === 'write') throw new Error(`${header.id} writes, so it cannot read the cell`)
              return inTenantTransaction(services, { tenantId, access: 'read' }, work)
            },
            environment: services.environment,
            callerNames: header.namesCallers ? await services.callerNamesOf(tx, tenantId) : new Map(),
            runProposed: (proposed) => proposals.run(proposed, second, context),
            readProposed: (proposed) => proposals.read(proposed, context),
          }
          await requireDutyForOffering(header, input, context)
          const proposal = await proposeIfNeeded(operation, input, context, services)
          const made = proposal ?? successResponse(header, serializerOf(reply), mask(await run(input, context)))
          if (access === 'write') requireReport(header, trail)
          await trail.write(tx)
          return made
        }),
      )
      return withLocation(header, response, urls)
    })
}
