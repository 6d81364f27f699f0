// Measures how fast READYTOMINT orders become MINTED, with one worker, one indexer and one block per second.

import { setTimeout as sleep } from 'node:timers/promises'
import { PacedChain } from '../service/test/harness/chain/paced-chain.ts'
import { TestInstallation } from '../service/test/harness/installation/test-installation.ts'
import { insertReadyOrders } from '../service/test/harness/tokens/ready-orders.ts'
import { SettlementWorld } from '../service/test/harness/tokens/settlement-world.ts'
import { numberOptions } from './number-options.ts'
import { say } from './print.ts'

const { orders, wallets, seconds } = numberOptions({ orders: 10_000, wallets: 50, seconds: 600 })

const installation = await TestInstallation.create()
const chain = await PacedChain.start({ blockSeconds: 1 })
try {
  const world = await SettlementWorld.create(installation, chain)
  const accounts: string[] = []
  for (let count = 0; count < wallets; count += 1) accounts.push(await world.investor())
  say(`Loading ${orders} orders of ${accounts.length} wallets …`)
  const bytesBefore = await databaseBytes(world)
  await insertReadyOrders(world, accounts, orders)
  const startedAt = performance.now()
  const elapsed = () => (performance.now() - startedAt) / 1000
  await installation.startWorkerProcess(world.settings)
  await installation.startIndexerProcess(world.settings)
  let firstAt: number | undefined
  let minted = 0
  while (minted < orders && elapsed() < seconds) {
    await sleep(500)
    const statuses = await world.statuses()
    minted = statuses['MINTED'] ?? 0
    if (minted > 0) firstAt ??= elapsed()
    if (Math.round(elapsed() * 2) % 10 === 0) say(`  ${elapsed().toFixed(0)} s: ${JSON.stringify(statuses)}`)
  }
  await world.assertExact(minted)
  const total = elapsed()
  say(
    `All orders were minted after ${total.toFixed(1)} s, the first after ${(firstAt ?? 0).toFixed(1)} s, including ` +
      'the deployment of the token and the registration of the wallets.',
  )
  const perSecond = (taken: number) => Math.round(minted / taken)
  const bytes = (await databaseBytes(world)) - bytesBefore
  say(`size: ${Math.round(bytes / minted)} bytes for each minted order, with its chain op, transactions and events`)
  say(`settlement: ${perSecond(total)} orders/s, ${perSecond(total - (firstAt ?? 0))} once it mints`)
} finally {
  await installation.end()
  await chain.stop()
}

async function databaseBytes(world: SettlementWorld): Promise<number> {
  const [row] = await world.rows<{ bytes: number }>('select pg_database_size(current_database())::float8 as bytes')
  return row?.bytes ?? 0
}
