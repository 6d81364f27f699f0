import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../../service/test/harness/installation/database.ts'
import { camt053, importDirectly } from '../../../service/test/harness/money/camt053.ts'
import { until } from '../../../service/test/harness/wait.ts'
import type { DrillInstallation } from './drill-installation.ts'

/** A failure, with the alerts that must report it. */
export interface Fault {
  readonly name: string
  /** Alerts that page; all others must not. */
  readonly pages: readonly string[]
  readonly tickets: readonly string[]
  /** Causes the failure. Returns a function that ends it. */
  readonly cause: (drill: DrillInstallation) => Promise<() => Promise<void>>
}

export const faults: readonly Fault[] = [
  {
    name: 'Redis killed',
    pages: [],
    tickets: ['RedisUnavailable'],
    cause: async ({ redis }) => {
      await redis.kill()
      return () => redis.restart()
    },
  },
  {
    name: 'mail server away',
    pages: [],
    tickets: ['MailNotSent'],
    cause: async ({ mailbox, installation, world, api }) => {
      await mailbox.close()
      // Warns its tenant by mail.
      await installation.createOperator(world.tenantId)
      const { clientId } = await installation.issueCredential(world.tenantId)
      for (const _ of ['first', 'second', 'third']) {
        const body = { client_id: clientId, client_secret: 'wrong', scopes: ['order.read'] }
        await api.call('POST', '/auth', { body })
      }
      // It cannot listen on its old port again, and the mail job waits for its next attempt, which may be hours away.
      return async () => {
        await installation.owner((client) =>
          client.query(
            `select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where attempts > 0))`,
          ),
        )
      }
    },
  },
  {
    name: 'database full of connections',
    pages: ['DatabaseUnavailable'],
    tickets: [],
    cause: async ({ postgres }) => {
      const others: Awaited<ReturnType<typeof connect>>[] = []
      let isOver = false
      const takeConnections = async () => {
        while (!isOver)
          try {
            others.push(await connect(postgres.url))
          } catch {
            await sleep(20)
          }
      }
      // Like after a failover: the service has to reconnect, and others are faster.
      const owner = await connect(postgres.url)
      const running = Promise.all(Array.from({ length: 5 }, takeConnections))
      const disconnect = async () => {
        const { rowCount } = await owner.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'investor-token%'`,
        )
        return rowCount === 0
      }
      await until('the service has no connection', disconnect)
      return async () => {
        isOver = true
        await running
        await Promise.all([owner, ...others].map((client) => client.end().catch(() => {})))
      }
    },
  },
  {
    name: 'gas empty',
    pages: ['SignerOutOfGas'],
    tickets: ['SignerGasForDays'],
    cause: async ({ chain, world, installation }) => {
      const { signer } = world
      // Makes the five minutes between two checks of a signer seem to be over.
      const look = () =>
        installation.owner((client) =>
          client.query(`update cell.signer_status set checked_at = now() - interval '1 hour'`),
        )
      await chain.rpc('anvil_setBalance', signer, '0x0')
      await look()
      return async () => {
        await chain.fundGas(signer)
        await look()
      }
    },
  },
  {
    name: 'statement missing',
    pages: [],
    tickets: ['BankStatementMissing'],
    cause: async ({ installation, world }) => {
      await importDirectly(installation, world.tenantId, camt053({ entries: [] }))
      // Makes the statement six days old.
      await installation.owner((client) =>
        client.query(`update cell.bank_statement set created_at = now() - interval '6 days'`),
      )
      return async () => {
        await installation.owner((client) => client.query('update cell.bank_statement set created_at = now()'))
      }
    },
  },
  {
    name: 'loop of the worker hangs',
    pages: ['LoopStalled'],
    tickets: [],
    cause: async ({ postgres }) => {
      const client = await connect(postgres.url)
      await client.query('begin')
      await client.query('lock table cell.webhook_cursor in access exclusive mode')
      return () => client.end()
    },
  },
  {
    // The last fault, because a chain that is killed loses its blocks.
    name: 'node killed',
    pages: ['IndexerStale'],
    tickets: ['ChainNodeUnreachable'],
    cause: async ({ chain }) => {
      await chain.kill()
      return async () => {}
    },
  },
]
