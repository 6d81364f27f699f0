// How fast the history of a chain is read by an installation that has none of it. Every mint is two logs, one of the
// token and one of the desk; the orders are MINTED already, as after a restore, so that what is measured is reading,
// showing and balances.
import { parseArgs } from 'node:util'
import { createLogger } from '../service/src/platform/base/log.ts'
import { Placement } from '../service/src/platform/db/placement.ts'
import { createPool } from '../service/src/platform/db/pools.ts'
import { Chain } from '../service/src/tokens/chain/chain.ts'
import { mintCall } from '../service/src/tokens/chain/contracts.ts'
import { ChainIndexer } from '../service/src/tokens/indexer/chain-indexer.ts'
import { Anvil } from '../service/test/harness/anvil.ts'
import { TokenDesk } from '../service/test/harness/token-desk.ts'
import { BenchInstallation } from './installation.ts'
import { addAccounts, addOffering, orderIdAt, orderIdExpression } from './orders.ts'

type Address = TokenDesk['address']

const { values: flags } = parseArgs({
  options: { mints: { type: 'string', default: '20000' }, accounts: { type: 'string', default: '500' } },
})
const mints = Number(flags.mints)
const perTransaction = 100

const bench = await BenchInstallation.open({ connections: 8 })
const anvil = await Anvil.start({ flags: ['--auto-impersonate', '--gas-limit', '300000000'] })
const { installation } = bench
const pool = createPool(
  { url: installation.config.databaseUrl, role: 'investor_token_worker', cell: undefined },
  installation.config,
  createLogger('silent', 'bench'),
)
try {
  say(`Loading ${mints} orders of ${flags.accounts} accounts, and minting them …`)
  const tenantId = await installation.createTenant('Order book')
  const offeringId = await addOffering(installation, tenantId)
  await addAccounts(installation, tenantId, Number(flags.accounts))
  const desk = await TokenDesk.deploy(anvil)
  const token = await desk.deployToken(offeringId)
  const wallets = await addWallets(tenantId, offeringId)
  for (let first = 0; first < wallets.length; first += perTransaction)
    await desk.register(token, ...wallets.slice(first, first + perTransaction))
  await desk.attachDesk(installation, tenantId, 'ethereum')
  await desk.attachToken(installation, tenantId, offeringId)
  await mintAll(desk, token, wallets)
  await anvil.finalize()

  const { databases } = installation
  const log = createLogger('error', 'bench')
  const indexer = new ChainIndexer(new Chain('ethereum', anvil.url), pool, {
    databases,
    placement: new Placement(databases),
    log,
  })
  const startedAt = performance.now()
  for (;;)
    try {
      await indexer.readToHead()
      break
    } catch (error) {
      // A node that refuses a range is asked for half of it, as in the process.
      say(`  ${String(error)}`)
    }
  const seconds = (performance.now() - startedAt) / 1000
  const logs = await assertWhole(desk, token, wallets)
  say(`${logs} logs in ${seconds.toFixed(1)} s; every balance is what the chain says.`)
  say(`\nindexer: ${(logs / seconds).toFixed(0)} logs/s cold`)
} finally {
  await pool.end()
  await bench.close()
  await anvil.stop()
}

/** One for each account, of which nobody has the key, and the orders, in turn of one account and the next. */
async function addWallets(tenantId: string, offeringId: string): Promise<Address[]> {
  return installation.owner(async (owner) => {
    const { rows } = await owner.query<{ address: Address }>(
      `insert into cell.wallet (tenant_id, id, account_id, position, public_address, name, provider, type, status)
       select tenant_id, gen_random_uuid(), id, 0, '0x' || lpad((position + 4096)::text, 40, '0'), 'W', 'METAMASK',
              'BROWSER_WALLET', 'ACTIVE'
       from cell.account where tenant_id = $1 order by position returning public_address as address`,
      [tenantId],
    )
    await owner.query(
      `insert into cell.token_order (tenant_id, id, offering_id, account_id, offering_position, account_position,
                                     status, units, price_per_token, total_amount, paid_amount, currency,
                                     payment_bank_account, paid_at, payment_reference, payment_due_at)
       select account.tenant_id, ${orderIdExpression('place')}, $2, account.id, place, place / $3::bigint, 'MINTED',
              1000, 0, 0, 0, 'EUR', '{}', now(), 'IT' || place, now()
       from generate_series(0, $4::bigint - 1) place
       join cell.account on account.tenant_id = $1 and account.position = place % $3::bigint`,
      [tenantId, offeringId, rows.length, mints],
    )
    await owner.query('vacuum analyze')
    return rows.map(({ address }) => address)
  })
}

async function mintAll(desk: TokenDesk, token: Address, wallets: readonly Address[]): Promise<void> {
  await anvil.automine(false)
  for (let first = 0; first < mints; first += perTransaction) {
    const orders = Array.from({ length: Math.min(perTransaction, mints - first) }, (_, place) => ({
      orderId: orderIdAt(first + place),
      to: wallets[(first + place) % wallets.length] as Address,
      units: 1_000n,
    }))
    await anvil.submit(desk.signer, mintCall(desk.address, token, orders), 10_000_000n)
    // Ten to a block.
    if ((first / perTransaction) % 10 === 9) await anvil.mine()
  }
  await anvil.mine()
  await anvil.automine(true)
}

/** Speed counts for nothing when something is missing. */
async function assertWhole(desk: TokenDesk, token: Address, wallets: readonly Address[]): Promise<number> {
  const { rows } = await installation.owner((owner) =>
    owner.query<{ logs: number; held: string; shown: number }>(`
      select (select count(*)::int from cell.token_log where applied_at is not null) as logs,
             (select sum(balance)::text from cell.wallet_balance) as held,
             (select count(*)::int from cell.token_transaction where status = 'confirmed') as shown`),
  )
  const [{ logs, held, shown } = { logs: 0, held: '', shown: 0 }] = rows
  let there = 0n
  for (const wallet of wallets) there += await desk.balanceOf(token, wallet)
  if (logs !== 2 * mints || shown !== mints || BigInt(held) !== there || there !== 1_000n * BigInt(mints))
    throw new Error(`${logs} logs, ${shown} transactions, ${held} held and ${there} on the chain`)
  return logs
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
