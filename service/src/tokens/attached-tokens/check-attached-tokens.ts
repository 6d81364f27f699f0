import type pg from 'pg'
import { decodeFunctionResult, type Hex } from 'viem'
import { logFailure } from '../../platform/base/log-failure.ts'
import { type LoopContext, loop } from '../../platform/jobs/loop.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'
import { CallReverted, type Chain, ChainUnavailable } from '../chain/chain.ts'
import { type ChainContext, inTenantRead, inTenantWrite } from '../chain/chain-context.ts'
import { roleHash, tokenAbi, tokenCall } from '../chain/contracts.ts'
import {
  type AttachedToken,
  areTokensUnchecked,
  findUncheckedToken,
  saveTokenCheck,
  selectUncheckedTokens,
} from './attached-token.sql.ts'

/** Checks the tokens that operators attached to drafts. */
export const checkAttachedTokens = loop({
  name: 'check-attached-tokens',
  everyMs: 300,
  isDue: ({ chains }: LoopContext & ChainContext) => areTokensUnchecked([...chains.keys()]),
  run: async (context: LoopContext & ChainContext) => {
    if (context.chains.size > 0) await checkAllAttachedTokens(context.pool, context)
  },
})

export async function checkAllAttachedTokens(cell: pg.Pool, context: ChainContext): Promise<void> {
  for (const key of await selectUncheckedTokens(cell, [...context.chains.keys()]))
    await logFailure(context.log, 'an attached token could not be checked', () => checkAttachedToken(context, key))
}

/** Checks a token that an operator attached to a draft: it becomes the draft's token, or is rejected with a reason. */
async function checkAttachedToken(context: ChainContext, key: OfferingKey): Promise<void> {
  const { tenantId } = key
  const token = await inTenantRead(context, tenantId, (tx) => findUncheckedToken(tx, key))
  const chain = token && context.chains.get(token.chain)
  if (!token || !chain) return
  const rejection = await findRejection(chain, token)
  const result =
    rejection === undefined ? { deployedAt: context.clock(), cap: await readCap(chain, token) } : { rejection }
  try {
    await inTenantWrite(context, tenantId, (tx) => saveTokenCheck(tx, key, token, result))
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint !== 'offering_token') throw error
    const taken = { rejection: 'it is the token of another offering' }
    await inTenantWrite(context, tenantId, (tx) => saveTokenCheck(tx, key, token, taken))
  }
}

async function findRejection(chain: Chain, token: AttachedToken): Promise<string | undefined> {
  const { address, desk, symbol, decimals } = token
  if (!desk) return `the tenant has no signer on ${token.chain}`
  if (!(await chain.hasCode(address))) return 'no contract exists at this address'
  const [tokenDecimals, tokenSymbol, isMinter, isRegistrar] = await Promise.all([
    readToken(chain, token, 'decimals', []),
    readToken(chain, token, 'symbol', []),
    readToken(chain, token, 'hasRole', [roleHash('MINTER'), desk]),
    readToken(chain, token, 'hasRole', [roleHash('REGISTRAR'), desk]),
  ])
  if ([tokenDecimals, tokenSymbol, isMinter, isRegistrar].includes(undefined)) return 'it is not a permissioned token'
  const problems = [
    ...(tokenDecimals === decimals ? [] : [`it has ${String(tokenDecimals)} decimals and the offering ${decimals}`]),
    ...(tokenSymbol === symbol ? [] : ['its symbol differs from the symbol of the offering']),
    ...(isMinter ? [] : [`the desk ${desk} does not have the role MINTER`]),
    ...(isRegistrar ? [] : [`the desk ${desk} does not have the role REGISTRAR`]),
  ]
  return problems.length > 0 ? problems.join('; ') : undefined
}

/** Returns null if the contract has no supply limit that we can read. */
async function readCap(chain: Chain, token: AttachedToken): Promise<bigint | null> {
  const cap = await readToken(chain, token, 'cap', [])
  return typeof cap === 'bigint' ? cap : null
}

/** Calls a function of the token; undefined if the contract does not have it, or returns something else. */
async function readToken(
  chain: Chain,
  { address }: AttachedToken,
  functionName: string,
  args: readonly unknown[],
): Promise<unknown> {
  let data: Hex
  try {
    data = await chain.read(tokenCall(address, functionName, args))
  } catch (error) {
    if (error instanceof CallReverted) return undefined
    if (!(error instanceof ChainUnavailable)) throw error
    // JSON-RPC has no error code for a contract that aborts without reverting. If the node responds to another call,
    // the contract is the cause.
    await chain.head()
    return undefined
  }
  try {
    return decodeFunctionResult({ abi: tokenAbi, functionName, data })
  } catch {
    return undefined
  }
}
