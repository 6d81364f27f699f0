import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { freePort } from '../../service/test/harness/process.ts'
import { type RunningApi, TestInstallation } from '../../service/test/harness/service.ts'
import { exitCodesHelp } from '../src/base/failure.ts'
import { cliVersion } from '../src/base/version.ts'
import { TestCli } from './harness/cli.ts'

describe('who you are', () => {
  let installation: TestInstallation
  let api: RunningApi
  let cli: TestCli
  let secret: string
  let readerId: string

  before(async () => {
    installation = await TestInstallation.create()
    api = await installation.startApi()
    const tenantId = await installation.createTenant('Demo')
    const all = await installation.issueCredential(tenantId, { requestsPerMinute: 60_000 })
    const scopes = ['account.read', 'wallet.read'] as const
    const reader = await installation.issueCredential(tenantId, { requestsPerMinute: 60_000, scopes })
    secret = all.clientSecret
    readerId = reader.clientId
    const variables = { BASE_URL: api.baseUrl, CLIENT_ID: all.clientId }
    cli = await TestCli.create(variables, [secret, reader.clientSecret])
    await writeFile(join(cli.folder, 'secret'), `${secret}\n`)
    await writeFile(join(cli.folder, 'reader'), reader.clientSecret)
  })
  after(async () => {
    await installation.end()
    await cli.end()
  })
  beforeEach(async () => {
    await rm(dirname(cli.configFile), { recursive: true, force: true })
  })

  const loginLine = 'login --base-url "$BASE_URL" --client-id "$CLIENT_ID" --client-secret-stdin'
  const login = (more = '') => cli.run(`${loginLine} ${more} --debug < secret`)
  const codeOf = async (line: string, variables?: Record<string, string>) => (await cli.run(line, variables)).code

  test('login keeps the credential in a file that only its owner can read, and a call worked before', async () => {
    assert.equal(await codeOf(loginLine, { stdin: 'wrong' }), 3)
    await assert.rejects(stat(cli.configFile), 'nothing is kept of what was refused')
    const { code, stdout } = await login()
    assert.equal(code, 0)
    assert.match(stdout, /Logged in to .*, profile "default"/)
    assert.equal((await stat(cli.configFile)).mode & 0o777, 0o600)
    assert.equal((await stat(dirname(cli.configFile))).mode & 0o777, 0o700)
    assert.ok((await readFile(cli.configFile, 'utf8')).includes(secret))
    assert.deepEqual((await cli.json<{ results: unknown[] }>('accounts list')).results, [])
  })

  test('a file that others can read is refused, with the command that mends it', async () => {
    await login()
    await chmod(cli.configFile, 0o640)
    const { code, stderr } = await cli.run('accounts list')
    assert.equal(code, 3)
    const [, mend = ''] = /Run: (chmod 600 \S+)/.exec(stderr) ?? []
    execFileSync('bash', ['-c', mend])
    assert.equal(await codeOf('accounts list'), 0)
  })

  test('there are several profiles, and logout forgets one', async () => {
    await login()
    const reader = await cli.run(`${loginLine} --profile reader < reader`, { CLIENT_ID: readerId })
    assert.match(reader.stdout, /Scopes: account\.read, wallet\.read\./, 'it takes what the credential is granted')
    const names = (await cli.json<{ name: string }[]>('profiles')).map(({ name }) => name)
    assert.deepEqual(names, ['default', 'reader'])
    assert.equal(await codeOf('accounts list --profile reader'), 0)
    assert.equal(await codeOf('offerings list --profile reader'), 3)
    assert.equal(await codeOf('offerings list', { INVESTOR_TOKEN_PROFILE: 'reader' }), 3)
    assert.equal(await codeOf('logout --profile reader'), 0)
    assert.equal(await codeOf('accounts list --profile reader'), 3)
    assert.equal(await codeOf('accounts list'), 0)
  })

  test('the environment goes before the file, all of it or nothing', async () => {
    const variables = { INVESTOR_TOKEN_BASE_URL: api.baseUrl, INVESTOR_TOKEN_CLIENT_ID: readerId }
    const given = { ...variables, INVESTOR_TOKEN_SCOPES: 'account.read' }
    const line = 'accounts list'
    const withSecret = cli.shell(`INVESTOR_TOKEN_CLIENT_SECRET=$(cat reader) exec investor-token ${line}`, given)
    assert.equal((await withSecret.ended).code, 0)
    const { code, stderr } = await cli.run(line, variables)
    assert.equal(code, 2)
    assert.match(stderr, /belong together/)
  })

  test('a secret that is typed is not shown', async () => {
    const command = 'investor-token login --base-url "$BASE_URL" --client-id "$CLIENT_ID"'
    const running = cli.shell(`exec script -qfec 'stty cols 100 rows 40; ${command}' /dev/null`)
    await running.says('Its secret?')
    running.child.stdin?.write(`${secret}\r`)
    await running.says('Logged in')
    running.child.stdin?.end()
    const { code } = await running.ended
    assert.equal(code, 0)
    assert.ok((await readFile(cli.configFile, 'utf8')).includes(secret))
  })

  test('the exit code says what kind of failure it is', async () => {
    await login()
    const nobody = crypto.randomUUID()
    assert.equal(await codeOf('accounts list'), 0)
    assert.equal(await codeOf(`accounts get ${nobody}`), 1)
    assert.equal(await codeOf('accounts create --data "{}"'), 1)
    for (const line of ['', 'accounts', 'accounts list --nonsense', 'nonsense', 'accounts get 1', 'orders list'])
      assert.equal(await codeOf(line), 2, line)
    assert.equal(await codeOf('accounts create --data @missing.json'), 2)
    assert.equal(await codeOf('accounts list --profile nobody'), 3)
    const away = `http://127.0.0.1:${await freePort()}`
    const { code, stderr } = await cli.run(`login --base-url ${away} --client-id ${nobody} --client-secret-stdin`, {
      stdin: 'nothing',
    })
    assert.equal(code, 4)
    assert.match(stderr, /ECONNREFUSED/)
    const running = cli.start('events tail')
    await running.says('Waiting for events')
    assert.equal((await running.interrupt()).code, 130)
    const help = await cli.run('--help')
    assert.equal(help.code, 0)
    assert.ok(help.stdout.includes(exitCodesHelp))
  })

  test('a refusal tells code, fields and request id, and a debugged one no secret', async () => {
    await login()
    const { stderr } = await cli.run(`accounts create --data '{"type":"PERSON"}' --debug`)
    assert.match(stderr, /^Error: .+ \(validation_failed, status 400\)$/m)
    assert.match(stderr, /^ {2}\/type: .+$/m)
    assert.match(stderr, /^ {2}Request id: [0-9a-f-]{36}$/m)
    assert.match(stderr, /^POST \/accounts 400 in \d+ ms, request [0-9a-f-]{36}$/m)
  })

  test('colours are for terminals, and not for those who want none', async () => {
    await login()
    const colour = '\u001b['
    const onTerminal = (variables?: Record<string, string>) =>
      cli.shell(`script -qfec 'investor-token doctor' /dev/null < /dev/null`, variables).ended
    assert.ok((await onTerminal()).stdout.includes(colour))
    assert.ok(!(await onTerminal({ NO_COLOR: '1' })).stdout.includes(colour))
    const { stdout, stderr } = await cli.run('doctor')
    assert.ok(!(stdout + stderr).includes(colour))
  })

  test('doctor looks at everything, and says what to do', async () => {
    await login()
    const { code, stdout } = await cli.run('doctor')
    assert.equal(code, 0)
    const checks = [...stdout.matchAll(/^✔ ([^:]+):/gm)].map(([, check]) => check)
    const all = ['configuration', 'profile', 'service', 'clock', 'token', 'scopes', 'API version', 'rate limit']
    assert.deepEqual(checks, all)
    const config = JSON.parse(await readFile(cli.configFile, 'utf8'))
    const change = async (profile: object) =>
      writeFile(cli.configFile, JSON.stringify({ profiles: { default: { ...config.profiles.default, ...profile } } }))
    await change({ client_secret: 'changed' })
    const wrong = await cli.run('doctor')
    assert.equal(wrong.code, 3)
    assert.match(wrong.stdout, /✖ token: .+\n {4}Log in again: investor-token login/)
    await change({ base_url: `http://127.0.0.1:${await freePort()}` })
    assert.equal(await codeOf('doctor'), 4)
    await rm(cli.configFile)
    assert.equal(await codeOf('doctor'), 3)
  })

  test('a clock that is wrong is found', async () => {
    await login()
    // The clock of the program alone: an hour is added to what it believes.
    const script = 'const now = Date.now; Date.now = () => now() + 3_600_000'
    const { code, stdout } = await cli.run('doctor', {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}`,
    })
    assert.equal(code, 1)
    assert.match(stdout, /✖ clock: 3600 s ahead of the service's/)
  })

  test('shells complete commands, options, event types and profiles', async () => {
    await login()
    await login('--profile staging')
    for (const shell of ['bash', 'zsh', 'fish']) {
      const file = join(cli.folder, `completion.${shell}`)
      await writeFile(file, (await cli.run(`completion ${shell}`)).stdout)
      const { status, error } = spawnSync(shell, ['-n', file])
      if (!error) assert.equal(status, 0, `${shell} cannot read its script`)
    }
    const completed = async (...words: string[]) => {
      const script = `source <(investor-token completion bash)
        COMP_WORDS=(investor-token ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
        _investor_token; printf '%s\\n' "\${COMPREPLY[@]}"`
      return (await cli.shell(script).ended).stdout.trim().split('\n')
    }
    assert.deepEqual(await completed('or'), ['orders'])
    assert.deepEqual(await completed('orders', ''), ['list', 'create', 'get', 'cancel', 'help'])
    assert.deepEqual(await completed('orders', 'create', '--to'), ['--tokens'])
    assert.deepEqual(await completed('simulate', 'payment', 'x', '--kind', ''), [
      'exact',
      'short',
      'over',
      'late',
      'twice',
    ])
    assert.deepEqual(await completed('trigger', 'order.mint'), ['order.minting', 'order.mint_failed', 'order.minted'])
    assert.deepEqual(await completed('events', 'list', '--type', 'offering.'), ['offering.opened', 'offering.closed'])
    assert.deepEqual(await completed('accounts', 'list', '--profile', ''), ['default', 'staging'])
  })

  test('the version is that of the package', async () => {
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
    assert.equal(version, cliVersion)
  })
})
