import type { OperatorCellOperation, TenantContext, TenantOperation } from '../platform/api/declare/operation.ts'

/**
 * Runs another operation in the same transaction, so that a simulation does exactly what production does. The audit log
 * names the credential that called the simulation.
 */
export function perform<Result>(
  { run }: OperatorCellOperation<Result> | TenantOperation<Result>,
  { params, body }: { params: Record<string, string>; body?: unknown },
  context: TenantContext,
): Promise<Result> {
  return run({ params, query: {}, body, file: undefined }, context)
}
