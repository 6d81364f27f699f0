import type { OperatorOperation, TenantContext, TenantOperation } from '../platform/api/declare/operation.ts'

/**
 * Does what another operation does, in the same transaction: a simulation fires the real thing. The audit log names the
 * credential that asked for it.
 */
export function perform<Result>(
  { handle }: OperatorOperation | TenantOperation,
  input: { params: Record<string, string>; body?: unknown },
  context: TenantContext,
): Promise<Result> {
  return handle({ query: {}, ...input } as never, context as never) as Promise<Result>
}
