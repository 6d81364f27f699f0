import type { FastifyReply, FastifyRequest } from 'fastify'
import { inDirectoryTransaction, inTenantTransaction } from '../../db/tenant-transaction.ts'
import type { Actor, RequestAudit } from '../declare/audit.ts'
import type {
  OperatorCellOperation,
  OperatorContext,
  TenantContext,
  TenantOperation,
  ValidatedInput,
} from '../declare/operation.ts'
import type { Scope } from '../declare/scopes.ts'
import type { PipelineServices } from '../declare/services.ts'
import { integratorOf, operatorOf } from './admission.ts'
import { type OperationResponse, once } from './idempotency.ts'
import { idempotencyKeyOf, inputReader } from './input.ts'
import { proposeIfNeeded } from './propose.ts'
import { urlsOf, withLocation } from './request-urls.ts'
import type { proposedRunner } from './run-proposed.ts'
import { accessOf, type Runner, requireReport, successResponse } from './runner.ts'

/** Runs an integrator's operation in a transaction of its tenant. */
export function tenantRunner(operation: TenantOperation, services: PipelineServices): Runner {
  const { header, run } = operation
  return cellRunner(operation, services, {
    callerOf: (request) => {
      const { tenantId, clientId, scopes } = integratorOf(request)
      return { type: 'credential', tenantId, id: clientId, scopes }
    },
    before: async () => undefined,
    effect: async (input, context, { trail, reply }) => {
      const result = await run(input, context)
      await trail.write(context.tx)
      return successResponse(header, reply, result)
    },
  })
}

/** Runs an operator user's operation in a transaction of its tenant, or stores it for a second person. */
export function operatorCellRunner(
  operation: OperatorCellOperation,
  services: PipelineServices,
  runConfirmed: ReturnType<typeof proposedRunner<OperatorContext>>,
): Runner {
  const { header, run } = operation
  const isWrite = accessOf(header) === 'write'
  return cellRunner(operation, services, {
    callerOf: (request) => {
      const { tenantId, userId } = operatorOf(request)
      return { type: 'user', tenantId, id: userId, scopes: noScopes }
    },
    before: async (request) => {
      const { tenantId } = operatorOf(request)
      if (!header.comparesUsers) return []
      return inDirectoryTransaction(services.databases, { tenantId, access: 'read' }, (tx) =>
        services.colleaguesOf(tx, tenantId),
      )
    },
    effect: async (input, tenantContext, { request, reply, trail, prepared: colleagues }) => {
      const operator = operatorOf(request)
      const second = { userId: operator.userId, requestId: request.id }
      const context: OperatorContext = {
        ...tenantContext,
        operator,
        colleagues,
        runProposed: (proposed) => runConfirmed(proposed, second, context),
      }
      const proposal = await proposeIfNeeded(operation, input, context, services)
      const response = proposal ?? successResponse(header, reply, await run(input, context))
      if (isWrite) requireReport(header, trail)
      await trail.write(context.tx)
      return response
    },
  })
}

const noScopes: readonly Scope[] = []

interface CellCaller {
  readonly type: Actor['type']
  readonly tenantId: string
  readonly id: string
  readonly scopes: readonly Scope[]
}

interface CellWork<Prepared> {
  readonly callerOf: (request: FastifyRequest) => CellCaller
  /** What needs another database is read before the transaction. */
  readonly before: (request: FastifyRequest) => Promise<Prepared>
  /** Runs the operation, writes its audit entries and returns the response. */
  readonly effect: (
    input: ValidatedInput,
    context: TenantContext,
    parts: { request: FastifyRequest; reply: FastifyReply; trail: RequestAudit; prepared: Prepared },
  ) => Promise<OperationResponse>
}

/** The effects, their audit entries and the stored response of an idempotency key commit together. */
function cellRunner<Prepared>(
  { header }: TenantOperation | OperatorCellOperation,
  services: PipelineServices,
  { callerOf, before, effect }: CellWork<Prepared>,
): Runner {
  const withInput = inputReader(header)
  const access = accessOf(header)
  const msMax = header.upload?.msMax
  return (request, reply, prefix) =>
    withInput(request, async (input) => {
      const { type, tenantId, id: callerId, scopes } = callerOf(request)
      const now = services.clock()
      const urls = urlsOf(header, services, request, prefix, input)
      const prepared = await before(request)
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
        const run = () => effect(input, context, { request, reply, trail, prepared })
        const key = idempotencyKeyOf(request)
        if (header.idempotency === 'none' || key === undefined) return run()
        const { canonicalPath } = urls
        const keyed = { tenantId, clientId: callerId, method: header.method, canonicalPath, key, body: input.body }
        return once(tx, vault, keyed, run)
      })
      return withLocation(header, response, urls)
    })
}
