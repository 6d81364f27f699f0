import { ApiError } from '../../platform/api/errors/errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { chainOpErrors } from '../chain-ops/chain-op.errors.ts'
import type { ChainOp } from '../chain-ops/chain-op.sql.ts'
import { type TokenActionKind, tokenActionKinds } from '../chain-ops/chain-op.ts'
import type { ChainOpHandler } from '../chain-ops/chain-op-handler.ts'
import { tokenActions } from './token-action-kinds.ts'

const handlers = tokenActionKinds.map((kind) => [kind, { ...tokenActions[kind].handler, retry: rejectRetry }])

/** The chain-op handlers of all kinds of token actions. */
export const tokenActionHandlers: Readonly<Record<TokenActionKind, ChainOpHandler>> = Object.fromEntries(handlers)

/** Rejects retries: a retried burn, for example, might burn twice. Two people must confirm the action anew. */
async function rejectRetry(_: Transaction, { kind }: ChainOp): Promise<never> {
  throw new ApiError(
    chainOpErrors.chain_op_not_retryable,
    `A ${kind} cannot be retried: propose the token action again and have another person confirm it.`,
  )
}
