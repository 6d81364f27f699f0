import type { Address } from 'viem'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { roleOf, tokenCall } from '../chain/contracts.ts'
import { enqueueChainOp } from '../chain-ops/chain-op.sql.ts'
import { enqueueRetry, findLastTry } from '../chain-ops/chain-op-queue.sql.ts'
import { stopForPause } from '../minting/mint-orders.sql.ts'
import { tokenActionErrors } from './token-action.errors.ts'
import { findToken, type TokenActionDetails, type TokenActionRow } from './token-action.sql.ts'
import type { TokenActionKind } from './token-action.ts'

interface DeployedToken {
  tenantId: string
  offeringId: string
  chain: string
  token: Address
  signer: Address
}

type TokenRole = Parameters<typeof roleOf>[0]

const roles: Readonly<Record<TokenActionKind, TokenRole>> = {
  FREEZE: 'FREEZER',
  FORCED_TRANSFER: 'FORCE_TRANSFER',
  BURN: 'BURNER',
  PAUSE: 'PAUSER',
  UNPAUSE: 'PAUSER',
}

/** The token as something can be done to it, or refused. */
export async function requireToken(
  tx: Transaction,
  key: { tenantId: string; offeringId: string },
): Promise<DeployedToken> {
  const found = await findToken(tx, key)
  if (!found) throw new ApiError(requestErrors.not_found, 'There is no such offering.')
  const { chain, token, signer } = found
  if (!token || !signer)
    throw new ApiError(tokenActionErrors.token_not_deployed, `The token of the offering is not on ${chain} yet.`)
  return { ...key, chain, token, signer }
}

/**
 * Asks for the action and, before it, for the role that it takes. Nobody has one of these roles by default: the signer,
 * who is admin of the token, gives itself each when it is first needed.
 */
export async function queueTokenAction(tx: Transaction, token: DeployedToken, action: TokenActionRow): Promise<string> {
  const { tenantId, chain, offeringId } = token
  // From now on, not from when it is final: what is planned in between would be refused.
  if (action.kind === 'PAUSE') await stopForPause(tx, token)
  return enqueueChainOp(tx, {
    tenantId,
    chain,
    kind: action.kind,
    dedupeKey: `action:${action.id}`,
    call: callOf(token.token, action.kind, action.details),
    offeringId,
    dependsOn: await ensureRole(tx, token, roles[action.kind]),
  })
}

/** Once for each token and role; again where the last time came to nothing, or all that follows would too. */
async function ensureRole(tx: Transaction, token: DeployedToken, role: TokenRole): Promise<string> {
  const { tenantId, chain, offeringId } = token
  const op = {
    tenantId,
    chain,
    kind: 'GRANT_ROLE' as const,
    dedupeKey: `grant:${token.token}:${role}`,
    call: tokenCall(token.token, 'grantRole', [roleOf(role), token.signer]),
    offeringId,
  }
  const last = await findLastTry(tx, tenantId, op.dedupeKey)
  const hasFailed = last && ['REVERTED', 'CANCELLED', 'ALARM'].includes(last.state)
  return hasFailed ? enqueueRetry(tx, op, last.tries) : (last?.id ?? enqueueChainOp(tx, op))
}

function callOf(token: Address, kind: TokenActionKind, details: TokenActionDetails) {
  const { wallet_address: wallet, to_address: to, units = '0' } = details
  if (kind === 'FREEZE') return tokenCall(token, 'setFrozenTokens', [wallet, BigInt(units)])
  if (kind === 'FORCED_TRANSFER') return tokenCall(token, 'forcedTransfer', [wallet, to, BigInt(units)])
  if (kind === 'BURN') return tokenCall(token, 'burn', [wallet, BigInt(units)])
  return tokenCall(token, kind === 'PAUSE' ? 'pause' : 'unpause', [])
}
