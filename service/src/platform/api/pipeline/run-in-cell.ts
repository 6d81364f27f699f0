import type { FastifyRequest } from 'fastify'
import { inTenantTransaction } from '../../db/tenant-transaction.ts'
import type { OperatorCellOperation, TenantContext, TenantOperation } from '../declare/operation.ts'
import type { Scope } from '../declare/scopes.ts'
import type { PipelineServices } from '../declare/services.ts'
import { integratorOf, operatorOf } from './admission.ts'
import { once } from './idempotency.ts'
import { idempotencyKeyOf, inputReader } from './input.ts'
import { urlsOf, withLocation } from './request-urls.ts'
import { accessOf, type Runner, requireReport, successResponse } from './runner.ts'

/** Runs an integrator's operation in a transaction of its tenant. */
export function tenantRunner(operation: TenantOperation, services: PipelineServices): Runner {
  return cellRunner(operation, services, (request) => {
    const { tenantId, clientId, scopes } = integratorOf(request)
    return { type: 'credential', tenantId, id: clientId, scopes }
  })
}

/** Runs an operator user's operation in a transaction of its tenant. */
export function operatorCellRunner(operation: OperatorCellOperation, services: PipelineServices): Runner {
  return cellRunner(operation, services, (request) => {
    const { tenantId, userId } = operatorOf(request)
    return { type: 'user', tenantId, id: userId, scopes: noScopes }
  })
}

const noScopes: readonly Scope[] = []

interface CellCaller {
  readonly type: 'credential' | 'user'
  readonly tenantId: string
  readonly id: string
  readonly scopes: readonly Scope[]
}

/** The effects, their audit entries and the stored response of an idempotency key commit together. */
function cellRunner(
  { kind, header, run }: TenantOperation | OperatorCellOperation,
  services: PipelineServices,
  callerOf: (request: FastifyRequest) => CellCaller,
): Runner {
  const withInput = inputReader(header)
  const access = accessOf(header)
  const msMax = header.upload?.msMax
  const mustReport = kind === 'operator' && access === 'write'
  return (request, reply, prefix) =>
    withInput(request, async (input) => {
      const { type, tenantId, id: callerId, scopes } = callerOf(request)
      const now = services.clock()
      const urls = urlsOf(header, services, request, prefix, input)
      const response = await inTenantTransaction(services, { tenantId, access, msMax }, (tx) => {
        const vault = services.vaults.of(tx, tenantId)
        const trail = services.auditOf({ type, id: callerId, requestId: request.id })
        const { targets, walletProofUrl } = services
        const selfUrl = urls.base + urls.canonicalPath
        const context: TenantContext = {
          tenantId,
          tx,
          vault,
          now,
          selfUrl,
          callerId,
          scopes,
          audit: trail.add,
          targets,
          walletProofUrl,
        }
        const effect = async () => {
          const result = await run(input, context)
          if (mustReport) requireReport(header, trail)
          await trail.write(tx)
          return successResponse(header, reply, result)
        }
        const key = idempotencyKeyOf(request)
        if (header.idempotency === 'none' || key === undefined) return effect()
        const { canonicalPath } = urls
        const keyed = { tenantId, clientId: callerId, method: header.method, canonicalPath, key, body: input.body }
        return once(tx, vault, keyed, effect)
      })
      return withLocation(header, response, urls)
    })
}
