import { createWebhookEndpoint } from '../../../service/src/webhooks/operator/create-webhook-endpoint.ts'
import { PacedChain } from '../../../service/test/harness/chain/paced-chain.ts'
import { createCluster } from '../../../service/test/harness/clusters/cluster.ts'
import { TestInstallation } from '../../../service/test/harness/installation/test-installation.ts'
import { RedisServer } from '../../../service/test/harness/servers/redis-server.ts'
import { WebhookReceiver } from '../../../service/test/harness/servers/webhook-receiver.ts'
import { SettlementWorld } from '../../../service/test/harness/tokens/settlement-world.ts'
import { until } from '../../../service/test/harness/wait.ts'
import { ordersMintedOnChain } from '../orders-minted-on-chain.ts'
import { Fleet } from './fleet.ts'
import { LoadBalancer } from './load-balancer.ts'
import { ReleaseTree } from './release-tree.ts'
import { UpgradeLoad } from './upgrade-load.ts'

export interface UpgradeResult {
  from: string
  migrations: readonly string[]
  requests: number
  failures: readonly string[]
  orders: number
  mintedOnChain: number
  mintedTwice: number
  /** Paid orders that were not minted, events that no webhook delivered, and remaining jobs. */
  lost: readonly string[]
}

const settledMs = 120_000

/**
 * Upgrades 2 APIs, 2 workers and an indexer as described in docs/operations/upgrade.md, while integrators buy through a
 * load balancer: migrates, then replaces one process after the other.
 */
export async function runUpgradeDrill({
  buyers,
  report,
}: {
  buyers: number
  report: (line: string) => void
}): Promise<UpgradeResult> {
  const [old, next] = [ReleaseTree.previous(), ReleaseTree.next()]
  const cleanup: (() => unknown)[] = [() => old.remove(), () => next.remove()]
  try {
    const { server: postgres, remove } = await createCluster()
    cleanup.push(remove)
    const redis = await RedisServer.start()
    cleanup.push(() => redis.stop())
    const chain = await PacedChain.start({ blockSeconds: 1 })
    cleanup.push(() => chain.stop())
    const receiver = await WebhookReceiver.open()
    cleanup.push(() => receiver.close())
    await old.migrate({ OWNER_DATABASE_URL: postgres.url })
    const installation = new TestInstallation({
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      CHAINS: `anvil=${chain.url}`,
      DRAIN_SECONDS: '3',
    })
    cleanup.push(() => installation.end())
    const world = await SettlementWorld.create(installation, chain)
    cleanup.push(() => world.end())
    await world.direct.run(createWebhookEndpoint, { body: { url: receiver.url, event_types: ['order.minted'] } })
    const fleet = await Fleet.start(installation.settings, old)
    cleanup.push(() => fleet.end())
    const balancer = await LoadBalancer.start(fleet.apiPorts)
    cleanup.push(() => balancer.stop())
    const load = new UpgradeLoad({
      baseUrl: balancer.url,
      credential: await installation.issueCredential(world.tenantId, { requestsPerMinute: 60_000 }),
      offeringId: world.offeringId,
      accountIds: [await world.investor(), await world.investor()],
      buyers,
    })

    await load.signIn()
    await load.buy()
    // The first order deploys the contracts.
    await until('the first order is minted', async () => (await world.statuses())['MINTED'] === 1, settledMs)
    const running = load.run()
    report(`upgrading from ${old.name}`)
    const migrations = await next.migrate({ OWNER_DATABASE_URL: postgres.url })
    report(`migrated: ${migrations.join(', ')}`)
    for await (const replaced of fleet.replaceAll(next)) report(`replaced ${replaced}`)
    load.stop()
    await running
    const settled = until(
      'every paid order is minted',
      async () => ((await world.statuses())['MINTED'] ?? 0) >= load.orderIds.length,
      settledMs,
    )
    await settled.catch(() => report('not every paid order was minted'))
    const failures = load.failures.map(({ what, requestId }) =>
      [what, ...(requestId ? fleet.logOf(requestId) : [])].join('\n'),
    )
    return { from: old.name, migrations, failures, ...(await judge(world, load, receiver)) }
  } finally {
    for (const step of cleanup.toReversed()) await step()
  }
}

async function judge(
  world: SettlementWorld,
  load: UpgradeLoad,
  receiver: WebhookReceiver,
): Promise<Omit<UpgradeResult, 'from' | 'migrations' | 'failures'>> {
  const { orderIds, requests } = load
  const minted = await ordersMintedOnChain(world)
  const missing = async () => {
    const delivered = new Set(receiver.messages.map(({ body }) => body.data.order_id as string))
    const jobs = await world.rows<{ job: string }>(
      `select task.identifier as job from graphile_worker._private_jobs job
       join graphile_worker._private_tasks task on task.id = job.task_id where run_at <= now()`,
    )
    return [
      ...orderIds.filter((id) => !minted.includes(id)).map((id) => `order ${id} is paid and not minted`),
      ...orderIds.filter((id) => !delivered.has(id)).map((id) => `no webhook reported that order ${id} is minted`),
      ...jobs.map(({ job }) => `a job is left: ${job}`),
    ]
  }
  await until('webhooks and jobs are done', async () => (await missing()).length === 0, settledMs).catch(() => {})
  const mintedTwice = minted.length - new Set(minted).size
  return {
    requests,
    orders: orderIds.length,
    mintedOnChain: minted.length,
    mintedTwice,
    lost: await missing(),
  }
}
