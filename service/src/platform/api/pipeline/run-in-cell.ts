import type { FastifyRequest } from 'fastify'
import { inDirectoryTransaction, inTenantTransaction } from '../../postgres/cells/tenant-transaction.ts'
import type { Actor, RequestAudit } from '../declare/audit.ts'
import { maskOf, unchanged } from '../declare/masked.ts'
import type {
  OperatorCellOperation,
  OperatorContext,
  TenantContext,
  TenantOperation,
  ValidatedInput,
} from '../declare/operation.ts'
import type { Scope } from '../declare/scopes.ts'
import type { PipelineServices, SignedMessage } from '../declare/services.ts'
import { inTurn } from '../overload/heavy-requests.ts'
import { integratorOf, operatorOf } from './admission.ts'
import { requireExpectedStatus } from './expected-status.ts'
import { type OperationResponse, once } from './idempotency.ts'
import { idempotencyKeyOf, inputReader } from './input.ts'
import { proposeIfNeeded } from './propose.ts'
import { urlsOf, withLocation } from './request-urls.ts'
import { requireDutyForOffering } from './require-offering.ts'
import type { Proposals } from './run-proposed.ts'
import { accessOf, type Runner, requireReport, type Serialize, serializerOf, successResponse } from './runner.ts'

/** Runs an integrator's operation in a transaction of its tenant. */
export function tenantRunner(operation: TenantOperation, services: PipelineServices): Runner {
  const { header, run } = operation
  return cellRunner(operation, services, {
    callerOf: (request) => {
      const { tenantId, clientId, scopes } = integratorOf(request)
      return { type: 'credential', tenantId, id: clientId, scopes }
    },
    before: async () => undefined,
    effect: async (input, context, { trail, serialize }) => {
      const result = await run(input, context)
      await trail.write(context.tx)
      return successResponse(header, serialize, result)
    },
  })
}

/** Runs an operator user's operation in a transaction of its tenant, or stores it for a second person. */
export function operatorCellRunner(
  operation: OperatorCellOperation,
  services: PipelineServices,
  proposals: Proposals<OperatorContext>,
): Runner {
  return cellRunner(operation, services, operatorWork(operation, services, proposals))
}

/** Runs an operator user's operation for one item of a bulk request, as if it were requested alone. */
export function operatorItemRunner(
  operation: OperatorCellOperation,
  services: PipelineServices,
  proposals: Proposals<OperatorContext>,
): RunWithInput {
  return runnerWithInput(operation, services, operatorWork(operation, services, proposals))
}

function operatorWork(
  operation: OperatorCellOperation,
  services: PipelineServices,
  proposals: Proposals<OperatorContext>,
): CellWork<Pick<OperatorContext, 'colleagues' | 'callerNames'>> {
  const { header, run } = operation
  const isWrite = accessOf(header) === 'write'
  const mask = maskOf(header.success.body) ?? unchanged
  return {
    callerOf: (request) => {
      const { tenantId, userId } = operatorOf(request)
      return { type: 'user', tenantId, id: userId, scopes: noScopes }
    },
    before: async (request) => {
      const { tenantId } = operatorOf(request)
      const { comparesUsers, namesCallers } = header
      if (!comparesUsers && !namesCallers) return { colleagues: [], callerNames: new Map<string, string>() }
      return inDirectoryTransaction(services.databases, { tenantId, access: 'read' }, async (tx) => ({
        colleagues: comparesUsers ? await services.colleaguesOf(tx, tenantId) : [],
        callerNames: namesCallers ? await services.callerNamesOf(tx, tenantId) : new Map<string, string>(),
      }))
    },
    effect: async (input, tenantContext, { request, trail, serialize, prepared }) => {
      const operator = operatorOf(request)
      const second = { userId: operator.userId, requestId: request.id }
      const context: OperatorContext = {
        ...tenantContext,
        operator,
        confirmedBy: null,
        environment: services.environment,
        ...prepared,
        readOther: (work) => {
          if (isWrite) throw new Error(`${header.id} writes, so it cannot read the directory`)
          return inDirectoryTransaction(services.databases, { tenantId: operator.tenantId, access: 'read' }, work)
        },
        runProposed: (proposed) => proposals.run(proposed, second, context),
        readProposed: (proposed) => proposals.read(proposed, context),
      }
      await requireDutyForOffering(header, input, context)
      await requireExpectedStatus(header, input, context)
      const proposal = await proposeIfNeeded(operation, input, context, services)
      const response = proposal ?? successResponse(header, serialize, mask(await run(input, context)))
      if (isWrite) requireReport(header, trail)
      await trail.write(context.tx)
      return response
    },
  }
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
  /** Reads what the operation needs from the directory, before its transaction in the cell begins. */
  readonly before: (request: FastifyRequest) => Promise<Prepared>
  /** Runs the operation, writes its audit entries and returns the response. */
  readonly effect: (
    input: ValidatedInput,
    context: TenantContext,
    parts: { request: FastifyRequest; serialize: Serialize; trail: RequestAudit; prepared: Prepared },
  ) => Promise<OperationResponse>
}

function cellRunner<Prepared>(
  operation: TenantOperation | OperatorCellOperation,
  services: PipelineServices,
  work: CellWork<Prepared>,
): Runner {
  const withInput = inputReader(operation.header, services.spool)
  const run = runnerWithInput(operation, services, work)
  return (request, reply, prefix) =>
    withInput(request, (input) =>
      run(request, input, { prefix, key: idempotencyKeyOf(request), serialize: serializerOf(reply) }),
    )
}

/** Runs an operation with validated input. */
export type RunWithInput = (
  request: FastifyRequest,
  input: ValidatedInput,
  how: { readonly prefix: string; readonly key: string | undefined; readonly serialize: Serialize },
) => Promise<OperationResponse>

/** The effects, their audit entries and the stored response of an idempotency key commit together. */
function runnerWithInput<Prepared>(
  { header }: TenantOperation | OperatorCellOperation,
  services: PipelineServices,
  { callerOf, before, effect }: CellWork<Prepared>,
): RunWithInput {
  const access = accessOf(header)
  const msMax = header.upload?.msMax
  return async (request, input, { prefix, key, serialize }) => {
    const { type, tenantId, id: callerId, scopes } = callerOf(request)
    const now = services.clock()
    const urls = urlsOf(header, services, request, prefix, input)
    const [prepared, contractSignature] = await Promise.all([
      before(request),
      header.asksContractWallet ? services.askContractWallet(input.body as SignedMessage) : undefined,
    ])
    const response = await inTurn(services.databases, header, input, tenantId, ({ isPinned, begin }) =>
      inTenantTransaction(services, { tenantId, access, msMax, isPinned }, async (tx) => {
        if (isPinned) await begin(tx)
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
          contractSignature,
        }
        const run = () => effect(input, context, { request, serialize, trail, prepared })
        if (header.idempotency === 'none' || key === undefined) return run()
        const { canonicalPath } = urls
        const keyed = { tenantId, clientId: callerId, method: header.method, canonicalPath, key, body: input.body }
        return once(tx, vault, keyed, run)
      }),
    )
    return withLocation(header, response, urls)
  }
}
