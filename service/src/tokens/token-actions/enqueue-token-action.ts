import type { Address } from 'viem'
import type { OperatorContext } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { newRowId } from '../../platform/base/ids.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { lockUpCall, roleHash, tokenCall } from '../chain/contracts.ts'
import { enqueueChainOp, type NewChainOp } from '../chain-ops/chain-op.sql.ts'
import type { TokenActionKind } from '../chain-ops/chain-op.ts'
import { enqueueRetry, findLatestTry } from '../chain-ops/chain-op-retry.sql.ts'
import { tokenActionErrors } from './token-action.errors.ts'
import { dedupeKeyOf, findToken } from './token-action.sql.ts'
import { type TokenActionDetails, tokenActions } from './token-action-kinds.ts'

interface DeployedToken {
  tenantId: string
  offeringId: string
  chain: string
  token: Address
  signer: Address
  admin: Address
}

/** Finds the offering's token and the tenant's signer. Throws if the token is not deployed yet. */
export async function requireTokenAndSigner(
  tx: Transaction,
  key: { tenantId: string; offeringId: string },
): Promise<DeployedToken> {
  const found = await findToken(tx, key)
  if (!found) throw new ApiError(requestErrors.not_found, 'This offering does not exist.')
  const { chain, token, signer, admin } = found
  if (!token || !signer || !admin)
    throw new ApiError(
      tokenActionErrors.token_not_deployed,
      `The token of the offering is not deployed on ${chain} yet.`,
    )
  return { ...key, chain, token, signer, admin }
}

/** The run that only checks a proposal has no approval yet; the pipeline rolls it back. */
export function actionIdOf({ proof }: OperatorContext['operator']): string {
  return proof.type === 'approval' ? proof.id : newRowId()
}

/**
 * Enqueues the action and, before it, the grant of the role that it requires. No address has these roles by default:
 * the signer, if it is the token's admin, grants itself each role when it is first needed. Another admin has to grant
 * it to the signer beforehand; without the role the dry run reverts, and the op's failure names the role.
 */
export async function enqueueTokenAction(
  tx: Transaction,
  token: DeployedToken,
  { id, kind, details }: { id: string; kind: TokenActionKind; details: TokenActionDetails },
): Promise<string> {
  const { role, call, onEnqueued } = tokenActions[kind]
  const [name, ...args] = call(details as Required<TokenActionDetails>)
  await onEnqueued?.(tx, token)
  return enqueueWithRole(tx, token, {
    kind,
    dedupeKey: dedupeKeyOf(id),
    call: tokenCall(token.token, name, args),
    role,
  })
}

/** Enqueues the lock-up of a token that enforces it. `id` is the approval's. */
export function enqueueLockUp(
  tx: Transaction,
  token: DeployedToken,
  { id, until }: { id: string; until: Date | null },
): Promise<string> {
  const call = lockUpCall(token.token, until)
  return enqueueWithRole(tx, token, { kind: 'SET_LOCK_UP', dedupeKey: dedupeKeyOf(id), call, role: 'LOCK_UP_SETTER' })
}

async function enqueueWithRole(
  tx: Transaction,
  token: DeployedToken,
  { role, ...op }: Pick<NewChainOp, 'kind' | 'dedupeKey' | 'call'> & { role: string },
): Promise<string> {
  const { tenantId, chain, offeringId } = token
  const dependsOn = token.admin === token.signer ? await ensureRole(tx, token, role) : null
  return enqueueChainOp(tx, { ...op, tenantId, chain, offeringId, dependsOn })
}

/** Enqueues the grant once per token and role, and again if the latest try failed: dependent ops would fail too. */
async function ensureRole(tx: Transaction, token: DeployedToken, role: string): Promise<string> {
  const { tenantId, chain, offeringId } = token
  const op = {
    tenantId,
    chain,
    kind: 'GRANT_ROLE' as const,
    dedupeKey: `grant:${token.token}:${role}`,
    call: tokenCall(token.token, 'grantRole', [roleHash(role), token.signer]),
    offeringId,
  }
  const latest = await findLatestTry(tx, op)
  const hasFailed = latest && ['REVERTED', 'CANCELLED', 'ALARM'].includes(latest.state)
  return hasFailed ? enqueueRetry(tx, op, latest.tries) : (latest?.id ?? enqueueChainOp(tx, op))
}
