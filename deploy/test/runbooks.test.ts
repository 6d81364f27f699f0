import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { indexerConnections, workerConnections } from '../../service/src/main/connections.ts'
import { createLogger } from '../../service/src/platform/base/log.ts'
import { createPool } from '../../service/src/platform/postgres/pools.ts'
import { individual } from '../../service/test/harness/data/bodies.ts'
import { asOwner, copyDatabase, type TestDatabase } from '../../service/test/harness/installation/database.ts'
import { freePort } from '../../service/test/harness/installation/process.ts'
import { testKey } from '../../service/test/harness/installation/test-keys.ts'
import { PgBouncer, pgBouncerIsMissing } from '../../service/test/harness/servers/pg-bouncer.ts'
import { SnippetFolder, snippetsOf } from '../../service/test/harness/snippets.ts'
import { IndexedWorld, type Issue } from '../../service/test/harness/tokens/indexed-world.ts'

/** Expected output of each command block of a page, in order. A block without a line here fails. */
const pages: Record<string, RegExp[]> = {
  size: [/max_connections\s[\s\S]*usename/, /\d+ [kM]B/],
  upgrade: [
    /│ applied +│ 0 +│/,
    /^\{"status":"ok".*\{"status":"ok"\}$/m,
    /^build_info\{.*process="worker".*\} 1/m,
    /waits_for/,
  ],
  poolers: [/investor_token_app \| 10s/],
  jobs: [/send_never\s+\|\s+25 \|/, /check_again\s+\|\s+1 \|/, /locked_by/, /^ *\d+ \| +0 \| \d{4}-/m],
  'key-rotation': [
    /^k\d+:[\w-]{43}$/m,
    /client secret +│ its_/,
    /rewrapped +│ \d+[\s\S]*master key +│ next/,
    /next +\| +\d+\s+\(1 row\)/,
    /new key +│ true/,
    /nonce on chain +│ \d+/,
    /link +│ http/,
  ],
  'chain-node': [
    /"result":"0x7a69"[\s\S]*"hash":"0x/,
    /desk is deployed +│ true/,
    /differences +│ none/,
    /next nonce +│ \d+/,
  ],
  'tenant-off-boarding': [/disabled +│ true/, /files +│ \d\d[\s\S]*damaged +│ 0/, /Both chains are intact/],
  'backup-and-restore': [/opened +│ true/, /payouts stopped +│ false/, /Both chains are intact/],
  incidents: [/Both chains are intact/, /disabled +│ true/, /enabled +│ true/],
}

/** Defined like in docs/operations/maintain.md for a checkout. The folder of the page's variables is the volume. */
// oxlint-disable-next-line no-template-curly-in-string -- it is of the shell
const maintain = 'maintain() { npm run --silent maintain -- "${@/#\\/files/$PWD/files}"; }\n'

const nextKey = testKey('next', 'wraps data keys from now on')

// Starting processes takes most of the time, and two cores share it.
describe('the runbooks', { concurrency: 2 }, () => {
  let world: IndexedWorld
  let issue: Issue
  let env: Record<string, string>
  let accountId: string
  let pooler: PgBouncer | undefined
  let restored: TestDatabase | undefined
  const folder = new SnippetFolder()

  before(async () => {
    mkdirSync(join(folder.path, 'files'))
    world = await IndexedWorld.create()
    issue = await world.issue('anvil', await world.startChain())
    await issue.anvil.finalize()
    await world.index(issue)
    // A worker would record it, but this world deploys tokens itself.
    await world.installation.owner((client) => client.query('update cell.offering set token_deployed_at = now()'))
    env = await readerOf()
    accountId = await world.tenant.account()
  })
  after(async () => {
    folder.remove()
    await pooler?.stop()
    await restored?.drop()
    await world.end()
  })

  /** Returns the settings and variables of a reader whose installation has one tenant, a worker and a chain. */
  async function readerOf(): Promise<Record<string, string>> {
    const { installation, tenant, api } = world
    const [workerPort, metricsPort] = [String(await freePort()), String(await freePort())]
    const settings: Record<string, string> = { ...installation.settings, CHAINS: `anvil=${issue.anvil.url}` }
    await installation.startWorkerProcess({ ...settings, WORKER_PORT: workerPort, METRICS_PORT: metricsPort })
    const { userId } = await installation.createOperator(tenant.id)
    return {
      ...settings,
      OWNER_DATABASE_URL: settings['DATABASE_URL'] ?? '',
      OPERATOR_BASE_URL: 'http://localhost:8081',
      API_URL: api.baseUrl,
      WORKER_URL: `http://127.0.0.1:${workerPort}`,
      METRICS_URL: `http://127.0.0.1:${metricsPort}`,
      NODE_URL: issue.anvil.url,
      TENANT: tenant.id,
      CLIENT: tenant.clientId,
      CHAIN: 'anvil',
      OFFERING: issue.offeringId,
      USER_ID: userId,
      NODE_COMPILE_CACHE: join(tmpdir(), 'investor-token-compiled'),
    }
  }

  const connectQueryOf = (role: string) => {
    const settings = snippetsOf('docs/operations/poolers.md', 'ini').join('\n')
    const [, quoted = ''] = new RegExp(`connect_query='(set role ${role}(?:[^']|'')*)'`).exec(settings) ?? []
    return quoted.replaceAll("''", "'")
  }

  /** Prepares what the reader of a page would find, and returns the variables that differ from the other pages. */
  const preparations: Record<string, () => Promise<Record<string, string>>> = {
    jobs: async () => {
      // No worker knows these names, so the jobs stay as they are.
      await world.installation.owner((client) =>
        client.query(`
          select graphile_worker.add_job('send_never', '{}'), graphile_worker.add_job('check_again', '{}');
          update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'no route'
          where task_id = (select id from graphile_worker._private_tasks where identifier = 'send_never')`),
      )
      return { JOB: 'send_never' }
    },
    'key-rotation': async () => ({ DATA_MASTER_KEYS: `${nextKey},${env['DATA_MASTER_KEYS']}` }),
    // The commands stop the tenant.
    'tenant-off-boarding': async () => ({
      TENANT: await world.installation.createTenant('Leaves'),
    }),
    'backup-and-restore': async () => {
      // A copy with nothing connected to it is a database restored to this moment.
      restored = await copyDatabase(env['DATABASE_URL'] ?? '')
      const { url } = restored
      const { rows } = await asOwner(url, (client) => client.query('select clock_timestamp()::text as now'))
      return { DATABASE_URL: url, OWNER_DATABASE_URL: url, MOMENT: rows[0].now }
    },
    incidents: async () => ({ TENANT: await world.installation.createTenant('Stopped') }),
    poolers: async () => {
      const connectQuery = connectQueryOf('investor_token_app')
      pooler = await PgBouncer.start(env['DATABASE_URL'] ?? '', { mode: 'session', connectQuery, resetQuery: '' })
      return { POOLED_URL: pooler.url }
    },
  }

  /** Checks the results of the commands of a page. */
  const results: Record<string, () => Promise<void>> = {
    jobs: async () => {
      const { rows } = await world.installation.owner((client) =>
        client.query(`select attempts from graphile_worker.jobs where task_identifier = 'send_never'`),
      )
      assert.deepEqual(rows, [{ attempts: 0 }])
    },
    'key-rotation': async () => {
      const api = await world.installation.startApiProcess({ DATA_MASTER_KEYS: nextKey })
      const { status, body } = await api.call('GET', `/accounts/${accountId}`, { token: world.tenant.token })
      assert.equal(status, 200, 'the new master key alone opens what was encrypted before')
      assert.equal(body.bank_account.iban, individual.bank_account.iban)
    },
  }

  for (const [page, printed] of Object.entries(pages))
    test(`every command of docs/operations/${page}.md runs as written`, {
      skip: page === 'poolers' && pgBouncerIsMissing,
    }, async () => {
      const prepared = await preparations[page]?.()
      const blocks = snippetsOf(`docs/operations/${page}.md`, 'sh')
      assert.equal(blocks.length, printed.length, 'each block needs a line in pages')
      for (const [index, block] of blocks.entries()) {
        const output = await folder.run('bash', ['-euo', 'pipefail', '-c', maintain + block], { ...env, ...prepared })
        assert.match(output, printed[index] ?? /$^/, block)
      }
      await results[page]?.()
    })

  test('a pooler that resets its connections gives the second client no role', {
    skip: pgBouncerIsMissing,
  }, async () => {
    const connectQuery = connectQueryOf('investor_token_worker')
    for (const [reset, roles] of [
      ['', ['investor_token_worker', 'investor_token_worker']],
      ['DISCARD ALL', ['investor_token_worker', 'refused']],
    ] as const) {
      const started = await PgBouncer.start(env['DATABASE_URL'] ?? '', {
        mode: 'session',
        connectQuery,
        resetQuery: reset,
      })
      try {
        assert.deepEqual([await roleThrough(started.url), await roleThrough(started.url)], roles)
      } finally {
        await started.stop()
      }
    }
  })

  test('the example of size.md counts connections as the processes open them', () => {
    const databasePoolMax = 10
    const worker = Object.values(workerConnections({ databasePoolMax }, { isCell: true }))
    const indexer = Object.values(indexerConnections({ databasePoolMax, chains: new Map([['anvil', []]]) as never }))
    const sum = (parts: number[]) => parts.reduce((total, part) => total + part, 0)
    const of = (each: number) => each * (2 * databasePoolMax + sum(worker) + sum(indexer))
    const text = readFileSync(new URL('../../docs/operations/size.md', import.meta.url), 'utf8')
    assert.match(text, new RegExp(`= ${of(2)}\\. During`))
    assert.match(text, new RegExp(`it is ${of(3)}\\.`))
  })
})

/** Returns the role of a connection that is opened like in the service. */
async function roleThrough(url: string): Promise<string> {
  const config = {
    environment: 'development',
    databasePoolMax: 1,
    databaseConnectTimeoutSeconds: 20,
    databaseLockTimeoutSeconds: 5,
  } as const
  const role = 'investor_token_worker'
  const pool = createPool({ url, role, cell: undefined }, config, createLogger('silent', 'test'))
  try {
    const { rows } = await pool.query<{ role: string }>('select current_user as role')
    return rows[0]?.role ?? ''
  } catch (error) {
    assert.match(String(error), /opened without role=/)
    return 'refused'
  } finally {
    await pool.end()
  }
}
