import pLimit from 'p-limit'
import type pg from 'pg'
import { type Address, decodeFunctionResult } from 'viem'
import { counter } from '../../platform/base/metric.ts'
import { type LoopContext, loop } from '../../platform/jobs/loop.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'
import { type Chain, ChainUnavailable, NodesDisagree } from '../chain/chain.ts'
import { type ChainContext, inTenantRead, inTenantWrite } from '../chain/chain-context.ts'
import { tokenAbi, tokenCall } from '../chain/contracts.ts'
import { selectAllTimeHolders } from '../register/holder.sql.ts'
import {
  readTokenLedger,
  reconcilableOfferings,
  selectWrongBalances,
  selectWrongHoldings,
  stopMinting,
  type TokenLedger,
} from './reconcile.sql.ts'
import type { ReconciliationFigures } from './reconciliation.schema.ts'
import { storeReconciliation } from './reconciliation.sql.ts'
import { stopMintingOnChain } from './stop-minting-on-chain.ts'

export type ReconcileContext = Pick<ChainContext, 'databases' | 'placement' | 'chains' | 'clock' | 'log' | 'cell'>

/** The figures of a token in the ledger and on the chain, at the same block. */
export interface Reconciliation extends TokenLedger {
  supplyOnChain: bigint
  holders: number
  /** Sentences without block numbers, so that an accepted difference reads the same in the next run. */
  differences: string[]
}

/** Concurrent calls to a node. */
const callsMax = 16
// The first few show what is wrong; a broken table would fill the column with addresses.
const addressesMax = 3

/**
 * Compares the ledger of one token with the chain at the last finalized block that the indexer has applied. Returns
 * undefined if the token is not deployed or no block has been read. Changes nothing.
 */
export async function reconcile(
  context: Omit<ReconcileContext, 'clock'>,
  key: OfferingKey,
): Promise<Reconciliation | undefined> {
  const { tenantId } = key
  // One round trip, hence one snapshot.
  const [ledger, wrongBalances, wrongHoldings] = await inTenantRead(context, tenantId, (tx) =>
    tx.batch(
      (tx) => readTokenLedger(tx, key),
      (tx) => selectWrongBalances(tx, key),
      (tx) => selectWrongHoldings(tx, key),
    ),
  )
  const chain = ledger && context.chains.get(ledger.chain)
  if (!ledger || !chain) return undefined
  // A later snapshot is fine: holders at a finalized block never change.
  const holders = await inTenantRead(context, tenantId, (tx) => selectAllTimeHolders(tx, key, ledger.block))
  const supplyOnChain = await readToken(chain, ledger, 'totalSupply', [])
  const wrongHolders: string[] = []
  await pLimit(callsMax).map(holders, async ({ address, units }) => {
    const onChain = await readToken(chain, ledger, 'balanceOf', [address])
    if (onChain !== units)
      wrongHolders.push(`${address} has ${difference(onChain, units)} on the chain than in the log`)
  })
  const balances = [...wrongBalances, ...wrongHoldings].map(
    ({ address, balance, logged, source }) =>
      `${address} has ${difference(BigInt(balance), BigInt(logged))} in ${source} than in the log`,
  )
  const differences = [
    ...differencesOf(ledger, supplyOnChain),
    ...wrongHolders.toSorted().slice(0, addressesMax),
    ...balances.slice(0, addressesMax),
  ]
  return { ...ledger, supplyOnChain, holders: holders.length, differences }
}

function differencesOf(ledger: TokenLedger, supplyOnChain: bigint): string[] {
  const comparisons: [one: bigint, other: bigint, sentence: (difference: string) => string][] = [
    [supplyOnChain, ledger.supply, (units) => `the token has ${units} than the log`],
    [ledger.minted, ledger.mintedForOrders, (units) => `the log has ${units} minted than minted for orders`],
    [ledger.issued, ledger.ordered, (units) => `the offering has ${units} issued than its minted orders have`],
    [ledger.appliedForOrders, ledger.ordered, (units) => `the log has ${units} minted for orders than they have`],
  ]
  return comparisons
    .filter(([one, other]) => one !== other)
    .map(([one, other, sentence]) => sentence(difference(one, other)))
}

function difference(one: bigint, other: bigint): string {
  return one > other ? `${one - other} units more` : `${other - one} units fewer`
}

async function readToken(
  chain: Chain,
  { token, block }: TokenLedger,
  functionName: 'totalSupply' | 'balanceOf',
  args: readonly Address[],
): Promise<bigint> {
  const data = await chain.read(tokenCall(token, functionName, args), block)
  // The token may have been deployed after this block.
  return data === '0x' ? 0n : (decodeFunctionResult({ abi: tokenAbi, functionName, data }) as bigint)
}

const differing = counter('reconciliation_differences', {
  description: 'Tokens whose minting was stopped because the ledger differs from the chain',
  labels: ['chain', 'cell'],
})

/** Called once for each chain and cell. */
export function startCountingDifferences(labels: { chain: string; cell: string }): void {
  differing.add(0, labels)
}

/**
 * Stores the result for operators, and stops minting if there is a difference that no operator has accepted. Returns
 * false if the token cannot be compared.
 */
export async function reconcileAndStop(context: ReconcileContext, key: OfferingKey): Promise<boolean> {
  const result = await reconcile(context, key)
  if (!result) return false
  const { differences } = result
  await inTenantWrite(context, key.tenantId, (tx) =>
    storeReconciliation(tx, key, { figures: figuresOf(result), differences, now: context.clock() }),
  )
  if (differences.length > 0) await stopForDifferences(context, key, result)
  return true
}

export function figuresOf(result: Reconciliation): ReconciliationFigures {
  return {
    block: Number(result.block),
    supply_on_chain: String(result.supplyOnChain),
    supply_in_log: String(result.supply),
    minted: String(result.minted),
    minted_for_orders: String(result.mintedForOrders),
    issued_units: String(result.issued),
    units_of_minted_orders: String(result.ordered),
    holders: result.holders,
  }
}

async function stopForDifferences(context: ReconcileContext, key: OfferingKey, result: Reconciliation): Promise<void> {
  const reason = result.differences.join('; ')
  if (reason === result.acceptedDifference) return
  const block = Number(result.block)
  if (!(await inTenantWrite(context, key.tenantId, (tx) => stopMinting(tx, key, reason, block)))) return
  differing.add(1, { chain: result.chain, cell: context.cell ?? '' })
  const fields = { tenant_id: key.tenantId, chain: result.chain, block, problem: reason }
  context.log.error(fields, 'the ledger differs from the chain: minting is stopped')
}

/** Compares every token of a cell with its chain, and stops minting if they differ. */
export const reconcileTokens = loop({
  name: 'reconcile-tokens',
  everyMs: 60_000,
  run: async (context: LoopContext & ChainContext, beat) => {
    if (context.chains.size > 0) await reconcileAll(context.pool, context, beat)
  },
})

/** Compares the tokens of a cell one by one. A failure of one does not affect the others. */
export async function reconcileAll(cell: pg.Pool, context: ReconcileContext, beat = () => {}): Promise<void> {
  for await (const key of reconcilableOfferings(cell, [...context.chains.keys()])) {
    beat()
    try {
      await reconcileAndStop(context, key)
    } catch (error) {
      if (error instanceof NodesDisagree) await stopMintingOnChain(cell, context, error.chain)
      const level = error instanceof ChainUnavailable ? 'debug' : 'warn'
      context.log[level]({ err: error, tenant_id: key.tenantId }, 'a token could not be compared with its chain')
    }
  }
}
