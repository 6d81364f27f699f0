// Commands for tokens on a chain: compare them with our ledger, and list their holders.
import { figuresOf, reconcile } from '../../tokens/reconciliation/reconcile.ts'
import { findFinalizedBlock, type HolderRow, selectHoldersAfter } from '../../tokens/register/holder.sql.ts'
import { blockNumber, uuid } from '../program/arguments.ts'
import { chainsOfConfig, inTenant, MaintainError, print, silentLog, withDatabases } from '../program/program.ts'
import { tenantCommand } from '../program/tenant-command.ts'

interface OfTenant {
  tenant: string
  offering: string
}

tenantCommand('reconcile', 'service')
  .description('compare a token with its chain at the last indexed finalized block; changes nothing')
  .requiredOption('--offering <id>', 'the offering', uuid)
  .action(async ({ tenant: tenantId, offering: offeringId }: OfTenant) => {
    const chains = chainsOfConfig()
    const result = await withDatabases((opened) =>
      reconcile({ ...opened, chains, log: silentLog }, { tenantId, offeringId }),
    )
    if (!result)
      throw new MaintainError(`Offering ${offeringId} has no token on a chain of CHAINS that has been indexed.`)
    print({
      offering_id: offeringId,
      chain: result.chain,
      token_address: result.token,
      ...figuresOf(result),
      minting_stopped: result.mintingStopped ?? 'no',
      differences: result.differences.length > 0 ? result.differences : ['none'],
    })
    // Exit status for scripts.
    if (result.differences.length > 0) process.exitCode = 2
  })

tenantCommand('holders', 'service')
  .description('list the holders of a token and their units after a finalized block')
  .requiredOption('--offering <id>', 'the offering', uuid)
  .option('--block <number>', 'the block; by default the last indexed finalized block', blockNumber)
  .option('--csv', 'print one line per holder instead of the number of holders')
  .action(async (options: OfTenant & { block?: bigint; csv?: boolean }) => {
    const key = { tenantId: options.tenant, offeringId: options.offering }
    const final = await inTenant(key.tenantId, (tx) => findFinalizedBlock(tx, key))
    if (final?.block == null)
      throw new MaintainError(`Offering ${key.offeringId} does not exist, or its chain has not been indexed.`)
    const block = options.block ?? final.block
    if (block > final.block)
      throw new MaintainError(`Block ${block} is not finalized and indexed yet: the last one is ${final.block}.`)
    if (options.csv) process.stdout.write('address,units,wallet_id,account_id\n')
    let count = 0
    for await (const holders of pagesOf(key, block)) {
      count += holders.length
      if (options.csv) await write(holders.map(lineOf).join(''))
    }
    if (!options.csv) print({ offering_id: key.offeringId, block: Number(block), holders: count })
  })

const pageMax = 1_000

/** A finalized block never changes, so the pages are consistent although each is a separate transaction. */
async function* pagesOf(key: { tenantId: string; offeringId: string }, block: bigint): AsyncGenerator<HolderRow[]> {
  let after = ''
  for (;;) {
    const page = await inTenant(key.tenantId, (tx) => selectHoldersAfter(tx, key, block, { after, limit: pageMax }))
    if (page.length > 0) yield page
    if (page.length < pageMax) return
    after = page.at(-1)?.address ?? ''
  }
}

function lineOf({ address, units, walletId, accountId }: HolderRow): string {
  return `${address},${units},${walletId ?? ''},${accountId ?? ''}\n`
}

/** Waits until the output is written, so that the holders of a large offering do not accumulate in memory. */
function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
