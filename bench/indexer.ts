// Measures how fast the indexer backfills a chain. Every mint is two logs, one of the token and one of the desk. The
// orders are MINTED from the start, as after a restore, so the result covers reading, transactions and balances.

import { parseArgs } from 'node:util'
import { createLogger } from '../service/src/platform/base/log.ts'
import { Placement } from '../service/src/platform/postgres/cells/placement.ts'
import { createPool } from '../service/src/platform/postgres/pools.ts'
import { Chain } from '../service/src/tokens/chain/chain.ts'
import { mintCall } from '../service/src/tokens/chain/contracts.ts'
import { ChainIndexer } from '../service/src/tokens/indexer/chain-indexer.ts'
import { Anvil } from '../service/test/harness/chain/anvil.ts'
import { TokenDesk } from '../service/test/harness/chain/token-desk.ts'
import { BenchInstallation } from './installation.ts'
import { addAccounts, addOffering, orderIdAt, orderIdExpression } from './orders.ts'
import { say } from './print.ts'

type Address = TokenDesk['address']

const { values: flags } = parseArgs({
  options: {
    mints: { type: 'string', default: '20000' },
    accounts: { type: 'string', default: '500' },
    verbose: { type: 'boolean', default: false },
  },
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
  const chain = new Chain('ethereum', anvil.url)
  const calls = measureCalls(chain)
  const indexer = new ChainIndexer(chain, pool, {
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
      // After an error the next run reads half the range, as in the indexer process.
      say(`  ${String(error)}`)
    }
  const seconds = (performance.now() - startedAt) / 1000
  const logs = await assertComplete(desk, token, wallets)
  say(`${logs} logs in ${seconds.toFixed(1)} s; every balance equals the chain's.`)
  say(`The node took ${(calls.ms / 1000).toFixed(1)} s for ${calls.count} responses with logs, mostly meanwhile.`)
  say(`\nindexer: ${(logs / seconds).toFixed(0)} logs/s cold`)
} finally {
  await pool.end()
  await bench.close()
  await anvil.stop()
}

/** Measures how long the node takes to return logs, and the client to parse them. */
function measureCalls(chain: Chain): { count: number; ms: number } {
  const measured = { count: 0, ms: 0 }
  const logs = chain.logs.bind(chain)
  chain.logs = async (...request) => {
    const startedAt = performance.now()
    try {
      return await logs(...request)
    } finally {
      measured.count += 1
      measured.ms += performance.now() - startedAt
      if (flags.verbose) say(`  ${measured.count}: ${(performance.now() - startedAt).toFixed(0)} ms`)
    }
  }
  return measured
}

/** Inserts a wallet for each account, without a key, and the orders, distributed over the accounts. */
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
       select account.tenant_id, ${orderIdExpression('index')}, $2, account.id, index, index / $3::bigint, 'MINTED',
              1000, 0, 0, 0, 'EUR', '{}', now(), 'IT' || index, now()
       from generate_series(0, $4::bigint - 1) index
       join cell.account on account.tenant_id = $1 and account.position = index % $3::bigint`,
      [tenantId, offeringId, rows.length, mints],
    )
    await owner.query('vacuum analyze')
    return rows.map(({ address }) => address)
  })
}

async function mintAll(desk: TokenDesk, token: Address, wallets: readonly Address[]): Promise<void> {
  await anvil.automine(false)
  for (let first = 0; first < mints; first += perTransaction) {
    const orders = Array.from({ length: Math.min(perTransaction, mints - first) }, (_, index) => ({
      orderId: orderIdAt(first + index),
      to: wallets[(first + index) % wallets.length] as Address,
      units: 1_000n,
    }))
    await anvil.submit(desk.signer, mintCall(desk.address, token, orders), 10_000_000n)
    // Ten transactions per block.
    if ((first / perTransaction) % 10 === 9) await anvil.mine()
  }
  await anvil.mine()
  await anvil.automine(true)
}

/** Fails if a log, transaction or balance is missing. Returns the number of logs. */
async function assertComplete(desk: TokenDesk, token: Address, wallets: readonly Address[]): Promise<number> {
  const { rows } = await installation.owner((owner) =>
    owner.query<{ logs: number; balance: string; transactions: number }>(`
      select (select count(*)::int from cell.token_log where applied_at is not null) as logs,
             (select sum(balance)::text from cell.wallet_balance) as balance,
             (select count(*)::int from cell.token_transaction where status = 'confirmed') as transactions`),
  )
  const [{ logs, balance, transactions } = { logs: 0, balance: '', transactions: 0 }] = rows
  let onChain = 0n
  for (const wallet of wallets) onChain += await desk.balanceOf(token, wallet)
  if (logs !== 2 * mints || transactions !== mints || BigInt(balance) !== onChain || onChain !== 1_000n * BigInt(mints))
    throw new Error(`${logs} logs, ${transactions} transactions, ${balance} in balances and ${onChain} on the chain`)
  return logs
}
