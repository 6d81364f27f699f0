import { inTenantTransaction } from '../../postgres/cells/tenant-transaction.ts'
import type { SignedOperation } from '../declare/operation.ts'
import type { PipelineServices } from '../declare/services.ts'
import { inputReader } from './input.ts'
import { type Runner, serializerOf, successResponse } from './runner.ts'
import { requireSender } from './signed-request.ts'

/** Runs a signed operation in a transaction of its sender's tenant. */
export function signedRunner(operation: SignedOperation, services: PipelineServices): Runner {
  const { header } = operation
  const withInput = inputReader(header)
  return async (request, reply) => {
    const { sender, run } = await requireSender(operation, request, reply, services)
    const { tenantId } = sender
    return withInput(request, async (input) => {
      const now = services.clock()
      return inTenantTransaction(services, { tenantId, access: 'write' }, async (tx) => {
        const context = { tenantId, tx, vault: services.vaults.of(tx, tenantId), now }
        return successResponse(header, serializerOf(reply), await run(input, context))
      })
    })
  }
}
