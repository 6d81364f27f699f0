import { setTimeout as sleep } from 'node:timers/promises'
import type { LocalPostgres } from '../../../service/src/dev/local-postgres.ts'
import { migrate } from '../../../service/src/maintain/migrate/migrate.ts'
import { createAccount } from '../../../service/src/sales/accounts/create-account.ts'
import { PacedChain } from '../../../service/test/harness/chain/paced-chain.ts'
import { createCluster } from '../../../service/test/harness/clusters/cluster.ts'
import { individual } from '../../../service/test/harness/data/bodies.ts'
import { freePort, type Main, type RunningProcess } from '../../../service/test/harness/installation/process.ts'
import { type ApiProcess, TestInstallation } from '../../../service/test/harness/installation/test-installation.ts'
import { Mailbox } from '../../../service/test/harness/servers/mailbox.ts'
import { RedisServer } from '../../../service/test/harness/servers/redis-server.ts'
import { SettlementWorld } from '../../../service/test/harness/tokens/settlement-world.ts'
import { until } from '../../../service/test/harness/wait.ts'

/** All four processes with separate servers, and a caller that sends a few requests a second. */
export class DrillInstallation {
  readonly metricsPorts: readonly number[]
  readonly postgres: LocalPostgres
  readonly redis: RedisServer
  readonly mailbox: Mailbox
  readonly chain: PacedChain
  readonly installation: TestInstallation
  readonly world: SettlementWorld
  readonly api: ApiProcess
  readonly #removeCluster: () => Promise<void>
  readonly #traffic: Promise<void>
  readonly #processes: Record<Main, RunningProcess>
  #isEnding = false

  private constructor(parts: Parts) {
    this.metricsPorts = parts.metricsPorts
    this.postgres = parts.postgres
    this.redis = parts.redis
    this.mailbox = parts.mailbox
    this.chain = parts.chain
    this.installation = parts.installation
    this.world = parts.world
    this.api = parts.api
    this.#removeCluster = parts.removeCluster
    const { api, operatorApi, worker, indexer } = parts
    this.#processes = { api: api.process, 'operator-api': operatorApi.process, worker, indexer }
    this.#traffic = this.#sendRequests(parts)
  }

  static async start(): Promise<DrillInstallation> {
    const [{ server: postgres, remove: removeCluster }, redis, mailbox, chain] = await Promise.all([
      createCluster(),
      RedisServer.start(),
      Mailbox.open(),
      PacedChain.start({ blockSeconds: 1 }),
    ])
    await migrate({ ownerDatabaseUrl: postgres.url, ownerCells: new Map([['main', postgres.url]]) }, () => {})
    const installation = new TestInstallation({
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      SMTP_URL: mailbox.url,
      // The same node under two addresses, so that there seem to be several to watch.
      CHAINS: `anvil=${chain.url},${chain.url.replace('127.0.0.1', 'localhost')}`,
    })
    const world = await SettlementWorld.create(installation, chain)
    const metricsPorts = await Promise.all(Array.from({ length: 4 }, freePort))
    const [first, second, third, fourth] = metricsPorts.map(String)
    const [api, operatorApi, worker, indexer] = await Promise.all([
      installation.startApiProcess({ METRICS_PORT: first ?? '' }),
      installation.startOperatorApiProcess({ METRICS_PORT: second ?? '' }),
      installation.startWorkerProcess({ METRICS_PORT: third ?? '', WORKER_PORT: '0' }),
      installation.startIndexerProcess({ METRICS_PORT: fourth ?? '' }),
    ])
    const parts = { metricsPorts, postgres, redis, mailbox, chain, installation, world, api, removeCluster }
    return new DrillInstallation({ ...parts, operatorApi, worker, indexer })
  }

  /** Makes everything that has metrics happen once: an order is minted, and another waits for a wallet. */
  async exercise(): Promise<void> {
    const { direct } = this.world
    const { id } = await direct.run(createAccount, { body: { ...individual, kyc: { status: 'APPROVED' } } })
    await this.world.paidOrders(id, 1)
    await this.world.readyOrders(await this.world.investor(), 1)
    await until('the order is minted', async () => ((await this.world.statuses())['MINTED'] ?? 0) > 0, 180_000)
  }

  /** Kills a process. Returns a function that restarts it, with the ports that callers and Prometheus expect. */
  async kill(name: Main): Promise<() => Promise<void>> {
    const killed = this.#processes[name]
    const { port } = await killed.logged(name === 'worker' ? 'started' : 'listening')
    await killed.kill()
    const { installation } = this
    const settings = {
      METRICS_PORT: String(this.metricsPorts[Object.keys(portSettings).indexOf(name)]),
      [portSettings[name]]: String(port),
    }
    return async () => {
      if (name === 'api' || name === 'operator-api') {
        const start = name === 'api' ? installation.startApiProcess : installation.startOperatorApiProcess
        this.#processes[name] = (await start.call(installation, settings)).process
      } else {
        const start = name === 'worker' ? installation.startWorkerProcess : installation.startIndexerProcess
        this.#processes[name] = await start.call(installation, settings)
      }
    }
  }

  async end(): Promise<void> {
    this.#isEnding = true
    await this.#traffic
    await this.world.end()
    await this.installation.end()
    await this.chain.stop()
    await this.mailbox.close()
    await this.redis.stop()
    await this.#removeCluster()
  }

  /** Sends requests of a reader, and the probes that an orchestrator sends to each process. */
  async #sendRequests({ installation, world, api, operatorApi, worker, indexer }: Parts): Promise<void> {
    const credential = await installation.issueCredential(world.tenantId, { requestsPerMinute: 60_000 })
    const token = await api.token(credential)
    const path = `/offerings/${world.offeringId}`
    const { port: workerPort } = await worker.logged('started')
    const { port: indexerPort } = await indexer.logged('listening')
    const probes = [
      `${api.baseUrl}/readyz`,
      `${operatorApi.baseUrl}/readyz`,
      `http://127.0.0.1:${Number(workerPort)}/readyz`,
      `http://127.0.0.1:${Number(indexerPort)}/readyz`,
    ]
    while (!this.#isEnding) {
      // A killed or busy process does not end the drill.
      await Promise.allSettled([
        ...Array.from({ length: 5 }, () => api.call('GET', path, { token })),
        ...probes.map(async (probe) => (await fetch(probe)).text()),
      ])
      await sleep(250)
    }
  }
}

const portSettings: Readonly<Record<Main, string>> = {
  api: 'PORT',
  'operator-api': 'OPERATOR_PORT',
  worker: 'WORKER_PORT',
  indexer: 'INDEXER_PORT',
}

type PublicPart = 'metricsPorts' | 'postgres' | 'redis' | 'mailbox' | 'chain' | 'installation' | 'world' | 'api'

interface Parts extends Pick<DrillInstallation, PublicPart> {
  readonly operatorApi: ApiProcess
  readonly worker: RunningProcess
  readonly indexer: RunningProcess
  readonly removeCluster: () => Promise<void>
}
