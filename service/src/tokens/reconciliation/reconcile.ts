import { metrics } from '@opentelemetry/api'
import pLimit from 'p-limit'
import type pg from 'pg'
import { type Address, decodeFunctionResult } from 'viem'
import { inTenantTransaction } from '../../platform/db/tenant-transaction.ts'
import { type LoopContext, loop } from '../../platform/jobs/loop.ts'
import { appendAudit } from '../../records/audit/append-audit.sql.ts'
import { type Chain, ChainUnavailable } from '../chain/chain.ts'
import { tokenAbi, tokenCall } from '../chain/contracts.ts'
import { inTenantWrite, type Settlement } from '../chain-ops/settlement.ts'
import { listEverHolders } from '../holders/holder.sql.ts'
import type { MintableOffering } from '../minting/mint-orders.sql.ts'
import { type Books, listReconcilable, listWrongBalances, readBooks, stopMinting } from './reconcile.sql.ts'

type Reconciling = Pick<Settlement, 'databases' | 'placement' | 'chains' | 'log'>

/** What the books say and what the chain says, at the same block. */
export interface Reconciliation extends Books {
  supplyOnChain: bigint
  holders: number
  /** Each a sentence without a block in it, so that the same difference reads the same the next time. */
  differences: string[]
}

/** Concurrent calls to a node. */
const callsMax = 16
// The first few tell what is wrong; a broken table would fill the column with addresses.
const namedMax = 3

/**
 * Compares one token with the chain at the last block that the indexer has applied. Undefined where there is no token,
 * or no block has been read. Changes nothing.
 */
export async function reconcile(settlement: Reconciling, key: MintableOffering): Promise<Reconciliation | undefined> {
  const { tenantId } = key
  // Asked together, and so of one moment.
  const { books, wrong } = await inTenantTransaction(settlement, { tenantId, access: 'read' }, async (tx) => {
    const [found, balances] = await Promise.all([readBooks(tx, key), listWrongBalances(tx, key)])
    return { books: found, wrong: balances }
  })
  const chain = books && settlement.chains.get(books.chain)
  if (!books || !chain) return undefined
  // What is final stays as it is, so these may be asked for later.
  const holders = await inTenantTransaction(settlement, { tenantId, access: 'read' }, (tx) =>
    listEverHolders(tx, key, books.block),
  )
  const supplyOnChain = await askToken(chain, books, 'totalSupply', [])
  const moved: string[] = []
  const limit = pLimit(callsMax)
  await Promise.all(
    holders.map(({ address, units }) =>
      limit(async () => {
        const onChain = await askToken(chain, books, 'balanceOf', [address])
        if (onChain !== units) moved.push(`${address} has ${apart(onChain, units)} on the chain than in the log`)
      }),
    ),
  )
  const balances = wrong.map(
    ({ address, balance, logged }) =>
      `${address} has ${apart(BigInt(balance), BigInt(logged))} in its balance than in the log`,
  )
  const differences = [
    ...differencesOf(books, supplyOnChain),
    ...moved.toSorted().slice(0, namedMax),
    ...balances.slice(0, namedMax),
  ]
  return { ...books, supplyOnChain, holders: holders.length, differences }
}

function differencesOf(books: Books, supplyOnChain: bigint): string[] {
  const comparisons: [one: bigint, other: bigint, sentence: (apart: string) => string][] = [
    [supplyOnChain, books.supply, (units) => `the token has ${units} than the log`],
    [books.minted, books.mintedForOrders, (units) => `the log has ${units} minted than minted for orders`],
    [books.issued, books.ordered, (units) => `the offering has ${units} issued than its minted orders have`],
    [books.appliedForOrders, books.ordered, (units) => `the log has ${units} minted for orders than they have`],
  ]
  return comparisons
    .filter(([one, other]) => one !== other)
    .map(([one, other, sentence]) => sentence(apart(one, other)))
}

function apart(one: bigint, other: bigint): string {
  return one > other ? `${one - other} units more` : `${other - one} units fewer`
}

async function askToken(
  chain: Chain,
  { token, block }: Books,
  functionName: 'totalSupply' | 'balanceOf',
  args: readonly Address[],
): Promise<bigint> {
  const data = await chain.read(tokenCall(token, functionName, args), block)
  // The block may be older than the token.
  return data === '0x' ? 0n : (decodeFunctionResult({ abi: tokenAbi, functionName, data }) as bigint)
}

const found = metrics.getMeter('settlement').createCounter('reconciliation_differences', {
  description: 'Tokens whose minting was stopped because the chain and our books differ',
})

/** Compares, and stops minting where there is a difference that nobody has accepted. */
async function reconcileAndStop(settlement: Reconciling, key: MintableOffering): Promise<void> {
  const result = await reconcile(settlement, key)
  if (!result || result.differences.length === 0) return
  const why = result.differences.join('; ')
  if (why === result.acceptedDifference) return
  const isNew = await inTenantWrite(settlement, key.tenantId, async (tx) => {
    if (!(await stopMinting(tx, key, why))) return false
    const subject = { type: 'offering', id: key.offeringId }
    const after = { minting_stopped: why, block: Number(result.block) }
    await appendAudit(tx, system, { action: 'offering.minting_stopped', subject, after })
    return true
  })
  if (!isNew) return
  found.add(1, { chain: result.chain })
  const fields = { tenant_id: key.tenantId, chain: result.chain, block: Number(result.block), problem: why }
  settlement.log.error(fields, 'the chain and our books differ: minting is stopped')
}

const system = { type: 'system', id: null, requestId: null } as const

const pageMax = 100

/** Compares every token of a cell with its chain, and stops minting where they differ. */
export const reconcileTokens = loop({
  name: 'reconcile-tokens',
  everyMs: 60_000,
  run: async (context: LoopContext & Settlement) => {
    if (context.chains.size > 0) await reconcileAll(context.pool, context)
  },
})

/** All tokens of a cell, one after the other. One that cannot be compared does not keep the others waiting. */
export async function reconcileAll(cell: pg.Pool, settlement: Reconciling): Promise<void> {
  const chains = [...settlement.chains.keys()]
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const page = await listReconcilable(cell, chains, after, pageMax)
    for (const key of page)
      try {
        await reconcileAndStop(settlement, key)
      } catch (error) {
        const level = error instanceof ChainUnavailable ? 'debug' : 'warn'
        settlement.log[level]({ err: error, tenant_id: key.tenantId }, 'a token could not be compared with its chain')
      }
    const last = page.at(-1)
    if (!last || page.length < pageMax) return
    after = last.offeringId
  }
}
