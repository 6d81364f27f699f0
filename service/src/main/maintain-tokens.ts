// The commands about what is on a chain: whether it is what our books say, and who holds it.
import { createLogger } from '../platform/base/log.ts'
import { Placement } from '../platform/db/placement.ts'
import { Chain } from '../tokens/chain/chain.ts'
import { findFinalBlock, type HolderRow, listHoldersBehind } from '../tokens/holders/holder.sql.ts'
import { reconcile } from '../tokens/reconciliation/reconcile.ts'
import { blockNumber, uuid } from './maintain-arguments.ts'
import { config, inTenant, print, program, Refused, withDatabases } from './maintain-program.ts'

interface OfTenant {
  tenant: string
  offering: string
}

program
  .command('reconcile')
  .description('compare a token with its chain at the last final block that was read; changes nothing')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .requiredOption('--offering <id>', 'the offering', uuid)
  .action(async ({ tenant: tenantId, offering: offeringId }: OfTenant) => {
    const chains = new Map([...config().chains].map(([name, url]) => [name, new Chain(name, url)]))
    const log = createLogger('silent', 'maintain')
    const result = await withDatabases((databases) =>
      reconcile({ databases, placement: new Placement(databases), chains, log }, { tenantId, offeringId }),
    )
    if (!result) throw new Refused(`Offering ${offeringId} has no token on one of CHAINS that has been read.`)
    print({
      offering_id: offeringId,
      chain: result.chain,
      token_address: result.token,
      block: Number(result.block),
      supply_on_chain: String(result.supplyOnChain),
      supply_in_log: String(result.supply),
      minted: String(result.minted),
      minted_for_orders: String(result.mintedForOrders),
      issued_units: String(result.issued),
      units_of_minted_orders: String(result.ordered),
      holders: result.holders,
      minting_stopped: result.mintingStopped ?? 'no',
      differences: result.differences.length > 0 ? result.differences : ['none'],
    })
    // So that a script notices.
    if (result.differences.length > 0) process.exitCode = 2
  })

program
  .command('holders')
  .description('who had how many units of a token after a final block')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .requiredOption('--offering <id>', 'the offering', uuid)
  .option('--block <number>', 'after which block; the last final one where it is left out', blockNumber)
  .option('--csv', 'one line for each holder instead of how many there are')
  .action(async (options: OfTenant & { block?: bigint; csv?: boolean }) => {
    const key = { tenantId: options.tenant, offeringId: options.offering }
    const final = await inTenant(key.tenantId, (tx) => findFinalBlock(tx, key))
    if (final?.block == null) throw new Refused(`There is no offering ${key.offeringId} whose chain has been read.`)
    const block = options.block ?? final.block
    if (block > final.block) throw new Refused(`Block ${block} is not final and read yet: ${final.block} is the last.`)
    if (options.csv) process.stdout.write('address,units,wallet_id,account_id\n')
    let count = 0
    for await (const holders of pagesOf(key, block)) {
      count += holders.length
      if (options.csv) await write(holders.map(lineOf).join(''))
    }
    if (!options.csv) print({ offering_id: key.offeringId, block: Number(block), holders: count })
  })

const pageMax = 1_000

/** A final block never changes, so the pages fit together although each is a transaction of its own. */
async function* pagesOf(key: { tenantId: string; offeringId: string }, block: bigint): AsyncGenerator<HolderRow[]> {
  let after = ''
  for (;;) {
    const page = await inTenant(key.tenantId, (tx) => listHoldersBehind(tx, key, block, { after, limit: pageMax }))
    if (page.length > 0) yield page
    if (page.length < pageMax) return
    after = page.at(-1)?.address ?? ''
  }
}

function lineOf({ address, units, walletId, accountId }: HolderRow): string {
  return `${address},${units},${walletId ?? ''},${accountId ?? ''}\n`
}

/** Waits for whoever reads, so that the register of a large offering does not pile up here. */
function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
