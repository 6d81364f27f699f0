import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createEmptyDatabase, redisUrl, type TestDatabase } from './harness/database.ts'
import { startNode } from './harness/process.ts'
import { TestInstallation } from './harness/service.ts'

describe('maintain', () => {
  let database: TestDatabase
  let installation: TestInstallation

  before(async () => {
    database = await createEmptyDatabase()
  })
  after(async () => {
    await installation?.end()
    await database.drop()
  })

  async function maintain(...args: string[]): Promise<{ code: number | null; output: string }> {
    const process = startNode(['./src/main/maintain.ts', ...args], { DATABASE_URL: database.url })
    return { code: await process.ended, output: process.output.join('\n') }
  }
  async function maintainJson(...args: string[]): Promise<Record<string, string>> {
    const { code, output } = await maintain('--json', ...args)
    assert.equal(code, 0, output)
    return JSON.parse(output) as Record<string, string>
  }

  test('from an empty database to a working, rotated and disabled credential', async () => {
    const first = await maintainJson('migrate')
    assert.ok(Number(first['applied']) >= 3)
    assert.equal((await maintainJson('migrate'))['applied'], 0)

    const { tenant_id: tenant = '' } = await maintainJson('create-tenant', '--name', 'Acme')
    await maintainJson('add-administrator', '--tenant', tenant, '--name', 'Ann', '--email', 'ann@example.com')
    const issued = await maintainJson(
      'issue-credential',
      '--tenant',
      tenant,
      '--scopes',
      'order.read,offering.read',
      '--requests-per-minute',
      '100',
      '--default-version',
      '2026-07-02',
    )
    const client = issued['client_id'] ?? ''
    installation = new TestInstallation({ DATABASE_URL: database.url, REDIS_URL: redisUrl })
    const api = await installation.startApi()
    const withSecret = (secret: string | undefined) => ({ clientId: client, clientSecret: secret ?? '' })
    const answer = await api.auth(withSecret(issued['client_secret']), ['order.read'])
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('ratelimit-policy'), '"credential";q=100;w=60')
    assert.equal((await api.auth(withSecret(issued['client_secret']), ['order.create'])).status, 403)

    const rotated = await maintainJson(
      'rotate-credential',
      '--tenant',
      tenant,
      '--client',
      client,
      '--overlap-hours',
      '1',
    )
    for (const secret of [issued['client_secret'], rotated['client_secret']])
      assert.equal((await api.auth(withSecret(secret), ['order.read'])).status, 200)
    await maintainJson('disable-credential', '--tenant', tenant, '--client', client)
    assert.equal((await api.auth(withSecret(rotated['client_secret']), ['order.read'])).status, 401)
  })

  test('people get a table and a remark that the secret is shown once', async () => {
    const { tenant_id: tenant = '' } = await maintainJson('create-tenant', '--name', 'Table')
    const { output } = await maintain('issue-credential', '--tenant', tenant)
    assert.match(output, /│ client secret\s+│ its_[\w-]{43}/)
    assert.match(output, /shown this once/)
  })

  for (const [what, args, message] of [
    ['a tenant that does not exist', ['issue-credential', '--tenant', crypto.randomUUID()], /There is no tenant/],
    ['an id that is none', ['issue-credential', '--tenant', 'x'], /It must be a UUID/],
    [
      'a scope that does not exist',
      ['issue-credential', '--tenant', crypto.randomUUID(), '--scopes', 'a'],
      /There is no scope a/,
    ],
    [
      'a cell that does not exist',
      ['create-tenant', '--name', 'x', '--cell', 'mars'],
      /There is no cell mars: CELLS names main/,
    ],
    [
      'a limit out of range',
      ['issue-credential', '--tenant', crypto.randomUUID(), '--requests-per-minute', '0'],
      /from 1 to 60000/,
    ],
    [
      'an unknown version',
      ['issue-credential', '--tenant', crypto.randomUUID(), '--default-version', '2020-01-01'],
      /There is 2026-07-02/,
    ],
    [
      'a foreign credential',
      ['disable-credential', '--tenant', crypto.randomUUID(), '--client', crypto.randomUUID()],
      /has no credential/,
    ],
    ['an option that is missing', ['create-tenant'], /required option '--name <name>'/],
    [
      'a mail address that is none',
      ['add-administrator', '--tenant', crypto.randomUUID(), '--name', 'a', '--email', 'a'],
      /must be an e-mail address/,
    ],
  ] as const)
    test(`${what} ends with 1 and a sentence`, async () => {
      const { code, output } = await maintain(...args)
      assert.equal(code, 1, output)
      assert.match(output, message)
      assert.doesNotMatch(output, /at .*\.ts:\d+/)
    })

  test('--help needs no setting', async () => {
    const process = startNode(['./src/main/maintain.ts', '--help'], {})
    assert.equal(await process.ended, 0)
  })
})
