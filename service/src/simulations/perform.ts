import type {
  OperatorCellOperation,
  OperatorContext,
  TenantContext,
  TenantOperation,
} from '../platform/api/declare/operation.ts'

/**
 * Runs another operation in the same transaction, so that a simulation does exactly the same as production. The audit
 * log names the credential that called the simulation.
 */
export function perform<Result>(
  { run }: OperatorCellOperation<Result> | TenantOperation<Result>,
  { params, body }: { params: Record<string, string>; body?: unknown },
  context: TenantContext,
): Promise<Result> {
  return run({ params, query: {}, body, file: undefined }, asSimulation(context))
}

/** Returns a context with every duty: simulations exist in development only and need no second person. */
function asSimulation(context: TenantContext): OperatorContext {
  const { tenantId, callerId: userId } = context
  const proof = { type: 'token', id: userId } as const
  const expiresAt = new Date(context.now.getTime() + 60_000)
  return {
    ...context,
    operator: {
      tenantId,
      userId,
      userKind: 'service',
      identityId: null,
      duties: [],
      policies: {},
      tenantRequestsPerMinute: 1,
      proof,
      expiresAt,
      isRevoked: false,
    },
    confirmedBy: null,
    colleagues: [],
    environment: 'development',
    readOther: () => Promise.reject(new Error('a simulation reads one database')),
    callerNames: new Map(),
    readProposed: () => Promise.reject(new Error('a simulation has no proposals')),
    runProposed: () => Promise.reject(new Error('a simulation confirms nothing')),
  }
}
