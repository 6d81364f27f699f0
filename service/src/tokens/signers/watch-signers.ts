import type pg from 'pg'
import { raiseAlarm } from '../../access/alarms/raise-alarm.ts'
import { type LoopContext, loop } from '../../platform/jobs/loop.ts'
import { ChainUnavailable } from '../chain/chain.ts'
import { type ChainContext, inTenantRead, inTenantWrite } from '../chain/chain-context.ts'
import type { SignerKey } from './key-backend.ts'
import { findSigner } from './signer.sql.ts'
import { selectDueSigners, storeSignerStatus } from './signer-status.sql.ts'

/** Gas for about fifty mints: at the usual pace enough time to refill a signer. */
const gasReserve = 10_000_000n
const checkEveryMs = 300_000
/** Maximum per run. The next runs read the signers of more tenants. */
const signersMax = 100

type WatchContext = ChainContext & { readonly feeMax: bigint }

/**
 * Stores the balance and the nonces of every signer every five minutes, and whether it has enough gas: the operator API
 * cannot ask a node.
 */
export const watchSigners = loop({
  name: 'watch-signers',
  everyMs: 10_000,
  run: (context: LoopContext & WatchContext) => checkSigners(context.pool, context),
})

export async function checkSigners(cell: pg.Pool, context: WatchContext): Promise<void> {
  if (context.chains.size === 0) return
  const chains = [...context.chains.keys()]
  const since = new Date(context.clock().getTime() - checkEveryMs)
  for (const due of await selectDueSigners(cell, { chains, since, limit: signersMax }))
    try {
      await checkSigner(context, due)
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error
      context.log.debug({ err: error, chain: due.chain, tenant_id: due.tenantId }, 'a signer could not be read')
    }
}

async function checkSigner(context: WatchContext, key: SignerKey): Promise<void> {
  const { tenantId } = key
  const signer = await inTenantRead(context, tenantId, (tx) => findSigner(tx, key))
  const chain = context.chains.get(key.chain)
  if (!signer || !chain) return
  const [balanceWei, nonceLatest, noncePending, { maxFeePerGas }] = await Promise.all([
    chain.balance(signer.address),
    chain.transactionCount(signer.address, 'latest'),
    chain.transactionCount(signer.address, 'pending'),
    chain.fees(),
  ])
  const fee = maxFeePerGas < context.feeMax ? maxFeePerGas : context.feeMax
  const status = { balanceWei, nonceLatest, noncePending, isGasLow: balanceWei < gasReserve * fee }
  await inTenantWrite(context, tenantId, async (tx) => {
    if (!(await storeSignerStatus(tx, key, status, context.clock()))) return
    const data = { chain: key.chain, address: signer.address }
    await raiseAlarm(tx, tenantId, { type: 'signer.gas_low', data, offeringId: null })
  })
}
