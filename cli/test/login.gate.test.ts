import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { freePort } from '../../service/test/harness/installation/process.ts'
import { sharedInstallation } from '../../service/test/harness/installation/shared-installation.ts'
import { exitCodesHelp } from '../src/base/failure.ts'
import { cliVersion } from '../src/base/version.ts'
import { TestCli } from './harness/cli.ts'

describe('login, profiles and diagnostics', async () => {
  const installation = await sharedInstallation()
  const api = await installation.startApi()
  const tenantId = await installation.createTenant('Demo')
  const full = await installation.issueCredential(tenantId, { requestsPerMinute: 60_000 })
  const scopes = ['account.read', 'wallet.read'] as const
  const limited = await installation.issueCredential(tenantId, { requestsPerMinute: 60_000, scopes })
  const secret = full.clientSecret
  const readerId = limited.clientId
  const given = { BASE_URL: api.baseUrl, CLIENT_ID: full.clientId }
  const cli = await TestCli.create(given, [secret, limited.clientSecret])
  after(async () => {
    await installation.end()
    await cli.end()
  })
  await writeFile(join(cli.folder, 'secret'), `${secret}\n`)
  await writeFile(join(cli.folder, 'reader'), limited.clientSecret)
  beforeEach(async () => {
    await rm(dirname(cli.configFile), { recursive: true, force: true })
  })

  const loginLine = 'login --base-url "$BASE_URL" --client-id "$CLIENT_ID" --client-secret-stdin'
  const login = (more = '') => cli.run(`${loginLine} ${more} --debug < secret`)
  const codeOf = async (line: string, variables?: Record<string, string>) => (await cli.run(line, variables)).code

  test('login stores a working credential in a file that only its owner can read', async () => {
    assert.equal(await codeOf(loginLine, { stdin: 'wrong' }), 3)
    await assert.rejects(stat(cli.configFile), 'a rejected credential is not stored')
    const { code, stdout } = await cli.runProcess(`${loginLine} --debug < secret`)
    assert.equal(code, 0)
    assert.match(stdout, /Logged in to .*, profile "default"/)
    assert.equal((await stat(cli.configFile)).mode & 0o777, 0o600)
    assert.equal((await stat(dirname(cli.configFile))).mode & 0o777, 0o700)
    assert.ok((await readFile(cli.configFile, 'utf8')).includes(secret))
    assert.deepEqual((await cli.json<{ results: unknown[] }>('accounts list')).results, [])
  })

  test('a profile file that other users can read is rejected, with the command that fixes it', async () => {
    await login()
    await chmod(cli.configFile, 0o640)
    const { code, stderr } = await cli.run('accounts list')
    assert.equal(code, 3)
    const [, fix = ''] = /Run: (chmod 600 \S+)/.exec(stderr) ?? []
    execFileSync('bash', ['-c', fix])
    assert.equal(await codeOf('accounts list'), 0)
  })

  test('several profiles can be stored, and logout deletes one', async () => {
    await login()
    const reader = await cli.run(`${loginLine} --profile reader < reader`, { CLIENT_ID: readerId })
    assert.match(reader.stdout, /Scopes: account\.read, wallet\.read\./, 'login uses the scopes of the credential')
    const names = (await cli.json<{ name: string }[]>('profiles')).map(({ name }) => name)
    assert.deepEqual(names, ['default', 'reader'])
    assert.equal(await codeOf('accounts list --profile reader'), 0)
    assert.equal(await codeOf('offerings list --profile reader'), 3)
    assert.equal(await codeOf('offerings list', { INVESTOR_TOKEN_PROFILE: 'reader' }), 3)
    assert.equal(await codeOf('logout --profile reader'), 0)
    assert.equal(await codeOf('accounts list --profile reader'), 3)
    assert.equal(await codeOf('accounts list'), 0)
  })

  test('a complete credential in the environment overrides the profile; an incomplete one is an error', async () => {
    const variables = { INVESTOR_TOKEN_BASE_URL: api.baseUrl, INVESTOR_TOKEN_CLIENT_ID: readerId }
    const withScopes = { ...variables, INVESTOR_TOKEN_SCOPES: 'account.read' }
    const line = 'accounts list'
    const withSecret = cli.shell(`INVESTOR_TOKEN_CLIENT_SECRET=$(cat reader) exec investor-token ${line}`, withScopes)
    assert.equal((await withSecret.ended).code, 0)
    const { code, stderr } = await cli.run(line, variables)
    assert.equal(code, 2)
    assert.match(stderr, /must be set together/)
  })

  test('a typed secret is not echoed', async () => {
    const command = 'investor-token login --base-url "$BASE_URL" --client-id "$CLIENT_ID"'
    const running = cli.shell(`exec script -qfec 'stty cols 100 rows 40; ${command}' /dev/null`)
    await running.waitForOutput('Client secret')
    running.child.stdin?.write(`${secret}\r`)
    await running.waitForOutput('Logged in')
    running.child.stdin?.end()
    const { code } = await running.ended
    assert.equal(code, 0)
    assert.ok((await readFile(cli.configFile, 'utf8')).includes(secret))
  })

  test('the exit code identifies the kind of failure', async () => {
    await login()
    const endsWith = async (code: number, line: string) => {
      assert.equal((await cli.runProcess(line)).code, code, line)
      assert.equal(await codeOf(line), code, line)
    }
    const unknownId = crypto.randomUUID()
    await endsWith(0, 'accounts list')
    await endsWith(1, `accounts get ${unknownId}`)
    assert.equal(await codeOf('accounts create --data "{}"'), 1)
    for (const line of ['', 'accounts', 'nonsense', 'accounts get 1', 'orders list'])
      assert.equal(await codeOf(line), 2, line)
    assert.equal(await codeOf('accounts create --data @missing.json'), 2)
    await endsWith(2, 'accounts list --nonsense')
    await endsWith(3, 'accounts list --profile missing')
    const unreachable = `http://127.0.0.1:${await freePort()}`
    const { code, stderr } = await cli.runProcess(
      `login --base-url ${unreachable} --client-id ${unknownId} --client-secret-stdin`,
      {
        stdin: 'nothing',
      },
    )
    assert.equal(code, 4)
    assert.match(stderr, /ECONNREFUSED/)
    const running = cli.start('events tail')
    await running.waitForOutput('Waiting for events')
    assert.equal((await running.interrupt()).code, 130)
    const help = await cli.runProcess('--help')
    assert.equal(help.code, 0)
    assert.ok(help.stdout.includes(exitCodesHelp))
  })

  test('an API error is printed with code, fields and request id, and without secrets even with --debug', async () => {
    await login()
    const { stderr } = await cli.run(`accounts create --data '{"type":"PERSON"}' --debug`)
    assert.match(stderr, /^Error: .+ \(validation_failed, status 400\)$/m)
    assert.match(stderr, /^ {2}\/type: .+$/m)
    assert.match(stderr, /^ {2}Request id: [0-9a-f-]{36}$/m)
    assert.match(stderr, /^POST \/accounts 400 in \d+ ms, request [0-9a-f-]{36}$/m)
  })

  test('colours are used only on a terminal and only without NO_COLOR', async () => {
    await login()
    const colour = '\u001b['
    const onTerminal = (variables?: Record<string, string>) =>
      cli.shell(`script -qfec 'investor-token doctor' /dev/null < /dev/null`, variables).ended
    assert.ok((await onTerminal()).stdout.includes(colour))
    assert.ok(!(await onTerminal({ NO_COLOR: '1' })).stdout.includes(colour))
    const { stdout, stderr } = await cli.runProcess('doctor')
    assert.ok(!(stdout + stderr).includes(colour))
  })

  test('doctor runs all checks and prints the fix for a failed one', async () => {
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

  test('doctor detects a wrong clock', async () => {
    await login()
    // Moves only the clock of the CLI process forward by an hour.
    const script = 'const now = Date.now; Date.now = () => now() + 3_600_000'
    const { code, stdout } = await cli.runProcess('doctor', {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}`,
    })
    assert.equal(code, 1)
    // A response that takes seconds makes the difference less certain by as much.
    assert.match(stdout, /✖ clock: 3[56]\d\d s ahead of the service's/)
  })

  test('shells complete commands, options, event types and profiles', async () => {
    await login()
    await login('--profile staging')
    for (const shell of ['bash', 'zsh', 'fish']) {
      const file = join(cli.folder, `completion.${shell}`)
      await writeFile(file, (await cli.run(`completion ${shell}`)).stdout)
      const { status, error } = spawnSync(shell, ['-n', file])
      if (!error) assert.equal(status, 0, `${shell} rejects the script`)
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
    assert.deepEqual(await completed('trigger', 'order.mint'), [
      'order.mint_preconditions_lost',
      'order.minting',
      'order.mint_failed',
      'order.minted',
    ])
    assert.deepEqual(await completed('events', 'list', '--type', 'offering.'), [
      'offering.opened',
      'offering.closed',
      'offering.changed',
    ])
    assert.deepEqual(await completed('accounts', 'list', '--profile', ''), ['default', 'staging'])
  })

  test('the version is the version of the package', async () => {
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
    assert.equal(version, cliVersion)
  })
})
