import { decodeFunctionResult } from 'viem'
import { inTenantTransaction } from '../../platform/db/tenant-transaction.ts'
import { CallReverted, type Chain, ChainUnavailable } from '../chain/chain.ts'
import { roleOf, tokenAbi, tokenCall } from '../chain/contracts.ts'
import { inTenantWrite, type Settlement } from '../chain-ops/settlement.ts'
import type { MintableOffering } from '../minting/mint-orders.sql.ts'
import { findWantedToken, settleWantedToken, type WantedToken } from './attached-token.sql.ts'

/** Looks at a token that is to become an offering's, and takes it or says why not. */
export async function checkWantedToken(settlement: Settlement, key: MintableOffering): Promise<void> {
  const { tenantId } = key
  const wanted = await inTenantTransaction(settlement, { tenantId, access: 'read' }, (tx) => findWantedToken(tx, key))
  const chain = wanted && settlement.chains.get(wanted.chain)
  if (!wanted || !chain) return
  const refusal = await refusalOf(chain, wanted)
  const outcome = refusal === undefined ? { deployedAt: settlement.clock() } : { refusal }
  try {
    await inTenantWrite(settlement, tenantId, (tx) => settleWantedToken(tx, key, wanted, outcome))
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint !== 'offering_token') throw error
    const taken = { refusal: 'it is the token of another offering' }
    await inTenantWrite(settlement, tenantId, (tx) => settleWantedToken(tx, key, wanted, taken))
  }
}

async function refusalOf(chain: Chain, wanted: WantedToken): Promise<string | undefined> {
  const { address, desk, symbol, decimals } = wanted
  if (!desk) return `the tenant has no signer on ${wanted.chain}`
  if (!(await chain.hasCode(address))) return 'there is no contract at this address'
  const [itsDecimals, itsSymbol, mayMint, mayRegister] = await Promise.all([
    ask(chain, wanted, 'decimals', []),
    ask(chain, wanted, 'symbol', []),
    ask(chain, wanted, 'hasRole', [roleOf('MINTER'), desk]),
    ask(chain, wanted, 'hasRole', [roleOf('REGISTRAR'), desk]),
  ])
  if ([itsDecimals, itsSymbol, mayMint, mayRegister].includes(undefined)) return 'it is not a permissioned token'
  const problems = [
    ...(itsDecimals === decimals ? [] : [`it has ${String(itsDecimals)} decimals and the offering ${decimals}`]),
    ...(itsSymbol === symbol ? [] : ['its symbol is not that of the offering']),
    ...(mayMint ? [] : [`the desk ${desk} has not the role MINTER`]),
    ...(mayRegister ? [] : [`the desk ${desk} has not the role REGISTRAR`]),
  ]
  return problems.length > 0 ? problems.join('; ') : undefined
}

/** Undefined where what is there does not understand, or answers something else. */
async function ask(
  chain: Chain,
  { address }: WantedToken,
  functionName: string,
  args: readonly unknown[],
): Promise<unknown> {
  let data: `0x${string}`
  try {
    data = await chain.read(tokenCall(address, functionName, args))
  } catch (error) {
    if (error instanceof CallReverted) return undefined
    if (!(error instanceof ChainUnavailable)) throw error
    // Nodes have no code for a contract that breaks off without reverting. One that answers all else means that.
    await chain.head()
    return undefined
  }
  try {
    return decodeFunctionResult({ abi: tokenAbi, functionName, data })
  } catch {
    return undefined
  }
}
