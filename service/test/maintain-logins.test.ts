import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { ownerRows } from './harness/installation/database.ts'
import { argumentsOf, declaredCommands, type MaintainLogin } from './harness/installation/maintain-commands.ts'
import { type MaintainResult, runMaintain } from './harness/installation/process.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'

const staging = {
  ENVIRONMENT: 'staging',
  PUBLIC_BASE_URL: 'https://api.example.com',
  OPERATOR_BASE_URL: 'https://operators.example.com',
  WALLET_PROOF_URL: 'https://invest.example.com',
  SMTP_URL: 'smtp://127.0.0.1:1025',
  MAIL_FROM: 'Investor Token Service <no-reply@example.com>',
  CHAINS: 'anvil=http://127.0.0.1:1',
}

describe('the logins of maintain', { concurrency: 2 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'investor-token-maintain-'))
  const declared = new Map<string, MaintainLogin>()

  for (const [name, login] of await declaredCommands()) declared.set(name, login)
  const installation = await TestInstallation.create()
  const tenant = await installation.createTenant('A')
  const { DATABASE_URL: _, ...others } = installation.settings
  const settings = { ...others, ...staging }
  const urls = { app: await createLogin('app'), worker: await createLogin('worker') }
  after(async () => {
    const server = new URL(installation.config.databaseUrl)
    await installation.end()
    server.pathname = '/postgres'
    const names = Object.values(urls).map((url) => new URL(url).username)
    await ownerRows(server.href, `drop role if exists ${names.join(', ')}`)
    rmSync(folder, { recursive: true })
  })
  writeFileSync(join(folder, 'statement.xml'), '<a/>')

  /** Creates a login as docs/configuration.md describes. */
  async function createLogin(role: 'app' | 'worker'): Promise<string> {
    const url = new URL(installation.config.databaseUrl)
    url.username = `maintain_${role}_${url.pathname.slice(1)}`
    url.password = 'plain'
    await installation.rows(
      `create role ${url.username} login noinherit password 'plain'; grant investor_token_${role} to ${url.username}`,
    )
    return url.href
  }

  function run(name: string, logins: Record<string, string>): Promise<MaintainResult> {
    const unknown = crypto.randomUUID()
    const subject = { tenant, client: unknown, user: unknown, offering: unknown, chain: 'anvil', files: folder }
    const args = argumentsOf(subject)[name]
    assert.ok(args, `harness/installation/maintain-commands.ts has no arguments of ${name}`)
    return runMaintain(['--json', name, ...args], { ...settings, ...logins })
  }
  const namesOf = (...logins: MaintainLogin[]) =>
    [...declared].filter(([, login]) => logins.includes(login)).map(([name]) => name)

  test('every command declares one, and has arguments in the harness', () => {
    const names = Object.keys(argumentsOf({ tenant, client: '', user: '', offering: '', chain: '', files: '' }))
    assert.deepEqual([...declared.keys()].toSorted(), names.toSorted())
  })

  test('a command of the service needs no login of the owner, and never ends with a stack', async () => {
    const ofService = namesOf('service', 'service and worker')
    assert.ok(ofService.length > 0)
    for (const name of ofService) {
      const { code, output } = await run(name, { DATABASE_URL: urls.app, WORKER_DATABASE_URL: urls.worker })
      assert.doesNotMatch(output, /\n {4}at |DATABASE_URL|too few rights|not migrated/, `${name}: ${output}`)
      // The command did its work, or says in one sentence that there is no such credential, user, token or node.
      if (code !== 0) assert.match(output, /^\S[^\n]*\.$/, `${name}: ${output}`)
    }
  })

  test('a command of the owner says in one sentence that its setting is missing, or that its login lacks rights', async () => {
    const withOwner = namesOf('owner', 'superuser').filter((name) => name !== 'migrate')
    assert.ok(withOwner.length > 0)
    for (const name of withOwner) {
      const { code, output } = await run(name, { DATABASE_URL: urls.app, WORKER_DATABASE_URL: urls.worker })
      assert.equal(code, 1)
      assert.equal(output, 'OWNER_DATABASE_URL is missing. Set it as docs/operations/maintain.md describes.', name)
    }
    for (const name of ['list-cells', 'migrate']) {
      const { code, output } = await run(name, { DATABASE_URL: urls.app, OWNER_DATABASE_URL: urls.worker })
      assert.equal(code, 1)
      assert.match(output, /^The database login has too few rights\. Set OWNER_DATABASE_URL to [^\n]*$/, name)
    }
  })

  test('a login without the role of the service, and one that PostgreSQL refuses, are named in one sentence', async () => {
    const list = (url: string) => run('verify-audit', { DATABASE_URL: url, WORKER_DATABASE_URL: urls.worker })
    assert.equal(
      (await list(urls.worker)).output,
      'The database login has too few rights. Set DATABASE_URL to a login that has the role investor_token_app.',
    )
    const unknown = new URL(urls.app)
    unknown.pathname = '/does_not_exist'
    assert.match((await list(unknown.href)).output, /^PostgreSQL refuses the login or the database of DATABASE_URL/)
  })

  test('rewrap-data-keys --all says that the login of the job queue is missing', async () => {
    const { output } = await run('rewrap-data-keys', { DATABASE_URL: urls.app })
    assert.equal(output, 'WORKER_DATABASE_URL is missing. Set it as docs/operations/maintain.md describes.')
  })

  test('commands of the owner work with the three logins', async () => {
    const logins = {
      DATABASE_URL: urls.app,
      WORKER_DATABASE_URL: urls.worker,
      OWNER_DATABASE_URL: installation.config.databaseUrl,
    }
    for (const name of ['list-cells', 'list-moves', 'set-cell-state', 'rotate-data-key', 'export-tenant']) {
      const { code, output } = await run(name, logins)
      assert.equal(code, 0, `${name}: ${output}`)
    }
  })

  test('a folder that cannot be written to is named in one sentence', async () => {
    const logins = { DATABASE_URL: urls.app, OWNER_DATABASE_URL: installation.config.databaseUrl }
    const command = `export-tenant --tenant ${tenant} --folder /proc/export`
    const { code, output } = await runMaintain(command, { ...settings, ...logins })
    assert.equal(code, 1)
    assert.match(output, /^The folder that contains \/proc\/export (is not writable|does not exist)[^\n]*$/)
  })
})
