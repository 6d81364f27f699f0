import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Command } from 'commander'
import { operationsOf } from '../../sdk/openapi-document.ts'
import { SignInWorld } from '../../service/test/harness/callers/sign-in-world.ts'
import { newOffering } from '../../service/test/harness/data/bodies.ts'
import { camt053 } from '../../service/test/harness/money/camt053.ts'
import { operatorRequests } from '../../service/test/harness/operator-requests/operator-requests.ts'
import { createOperatorWorld } from '../../service/test/harness/operator-requests/operator-world.ts'
import { generateOperators } from '../generate.ts'
import { operatorOperations } from '../src/base/generated/operator-operations.ts'
import { createProgram } from '../src/program.ts'
import { TestCli } from './harness/cli.ts'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')

describe('the operator API on the command line', () => {
  test('src/base/generated is up to date with service/operator-openapi.json', () => {
    assert.equal(
      read('../src/base/generated/operator-operations.ts'),
      generateOperators(),
      'run npm run generate -- cli',
    )
  })

  test('every operation that a token can call has one command', () => {
    const documented = operationsOf(JSON.parse(read('../../service/operator-openapi.json')))
    const ids = documented.map(({ operation }) => operation.operationId)
    assert.ok(ids.length > 100)
    assert.deepEqual(operatorOperations.map(({ id }) => id).toSorted(), ids.toSorted())
    const operator = createProgram().commands.find((command) => command.name() === 'operator')
    const leaves = (operator?.commands ?? []).flatMap((noun: Command) =>
      noun.commands.map((verb) => `${noun.name()} ${verb.name()}`),
    )
    assert.equal(new Set(leaves).size, ids.length)
    assert.deepEqual(leaves.toSorted(), operatorOperations.map(({ noun, verb }) => `${noun} ${verb}`).toSorted())
  })

  test('the flags of a command have different names', () => {
    const operator = createProgram().commands.find((command) => command.name() === 'operator')
    for (const verb of (operator?.commands ?? []).flatMap((noun) => noun.commands)) {
      const names = verb.options.map(({ long }) => long)
      assert.equal(new Set(names).size, names.length, `${verb.parent?.name()} ${verb.name()}: ${names.join()}`)
    }
  })
})

describe('an operator on the command line', async () => {
  const world = await SignInWorld.start()
  const tenantId = await world.installation.createTenant('A')
  const operator = await world.installation.createOperator(tenantId)
  const cli = await TestCli.create({ OPERATOR_URL: world.origin }, [operator.token])
  after(async () => {
    await world.installation.end()
    await cli.end()
  })
  const login = await cli.runProcess('operator login --base-url "$OPERATOR_URL" --token-stdin', {
    stdin: `${operator.token}\n`,
  })
  assert.equal(login.code, 0, login.stderr)

  const storedToken = async (profile: string): Promise<string> =>
    JSON.parse(await readFile(cli.configFile, 'utf8')).operators[profile].token

  test('signs in with a code in the browser; the token is stored privately and never printed; logout revokes it', async () => {
    const ada = await world.person(tenantId)
    const started = cli.start('operator login --base-url "$OPERATOR_URL" --profile ada')
    await started.waitForOutput('enter the code')
    assert.ok(started.stderr.includes(`Open ${world.origin}/console/device`), started.stderr)
    const [, user_code = ''] = /enter the code (\S+)/.exec(started.stderr) ?? []
    const body = { user_code }
    const seen = await world.call('POST', '/device-authorizations/open', { cookie: ada.cookie, body })
    assert.match(seen.body.device_name, /^investor-token on /)
    assert.match(seen.body.user_agent, /^investor-token\/\d/)
    await world.call('POST', '/device-authorizations/confirm', { cookie: ada.cookie, body })
    const { code, stdout, stderr } = await started.ended
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^Logged in to http:\/\/localhost:\d+ as Grace of A, profile "ada"\.$/m)
    const token = await storedToken('ada')
    assert.ok(token.startsWith('itp_') && !(stdout + stderr).includes(token))
    assert.equal((await stat(cli.configFile)).mode & 0o777, 0o600)
    const me = await cli.json<{ user: { id: string } }>('operator me get --profile ada')
    assert.equal(me.user.id, ada.userId)

    const { stderr: ended } = await cli.run('operator logout --profile ada')
    assert.match(ended, /Its token is revoked/)
    const variables = { INVESTOR_TOKEN_OPERATOR_URL: world.origin, INVESTOR_TOKEN_OPERATOR_TOKEN: token }
    const rejected = await cli.run('operator me get', variables)
    assert.equal(rejected.code, 3)
    assert.match(rejected.stderr, /token_revoked/)
  })

  test('uses the token of the environment, which must come with its URL', async () => {
    const environment = {
      INVESTOR_TOKEN_OPERATOR_TOKEN: operator.token,
      INVESTOR_TOKEN_CONFIG: join(cli.folder, 'none'),
    }
    assert.equal((await cli.run('operator me get', environment)).code, 2)
    const both = { ...environment, INVESTOR_TOKEN_OPERATOR_URL: world.origin }
    assert.equal((await cli.run('operator me get', both)).code, 0)
    const remote = { ...environment, INVESTOR_TOKEN_OPERATOR_URL: 'http://operators.example.com' }
    const { code, stderr } = await cli.run('operator me get', remote)
    assert.deepEqual([code, /must begin with https/.test(stderr)], [2, true], stderr)
    assert.equal((await cli.run('operator me get', { INVESTOR_TOKEN_CONFIG: join(cli.folder, 'none') })).code, 3)
  })

  test('creates, changes and reads; a repeated key has no second effect', async () => {
    await writeFile(join(cli.folder, 'offering.json'), JSON.stringify(newOffering))
    const line = 'operator offerings create --data @offering.json --name "Harbour II" --idempotency-key offering-1'
    const created = await cli.json<{ id: string; name: string }>(line)
    assert.equal(created.name, 'Harbour II')
    assert.deepEqual(await cli.json(line), created)
    const updated = await cli.json<{ name: string }>(`operator offerings update ${created.id} --name Harbour`)
    assert.equal(updated.name, 'Harbour')
    assert.deepEqual(await cli.json(`operator offerings get ${created.id}`), updated)
    const { stdout } = await cli.run('operator offerings list')
    assert.match(stdout, new RegExp(`^${created.id} +.*Harbour`, 'm'))
  })

  test('--all reads every page as the service links them, each row once', async () => {
    const api = await world.installation.operatorApi()
    for (let count = 0; count < 22; count += 1) await api.call(tenantId, 'POST', '/offerings', newOffering)
    const rows = await cli.json<{ id: string }[]>('operator offerings list --all --limit 10')
    assert.ok(rows.length >= 22)
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
  })

  test('sends a bank statement as a file, and receives a payout as one that only its owner can read', async () => {
    await writeFile(join(cli.folder, 'statement.xml'), camt053({ entries: [{ amount: '1.00' }] }))
    const imported = await cli.json<{ statements: unknown[] }>('operator statements import --file statement.xml')
    assert.equal(imported.statements.length, 1)
    const operatorWorld = await createOperatorWorld(world.installation, 'B')
    const second = await world.installation.createOperator(operatorWorld.tenantId)
    const prepare = operatorRequests['downloadPayout']?.prepare
    assert.ok(prepare)
    const { payoutId } = await prepare(world.installation, operatorWorld, world.api, second)
    const variables = { INVESTOR_TOKEN_OPERATOR_URL: world.origin, INVESTOR_TOKEN_OPERATOR_TOKEN: second.token }
    const line = `operator payouts download ${payoutId} --output payout.xml`
    assert.equal((await cli.run(line, variables)).code, 0)
    const file = join(cli.folder, 'payout.xml')
    assert.match(await readFile(file, 'utf8'), /^<\?xml .*<Document .*pain\.001/s)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    const again = await cli.run(line, variables)
    assert.deepEqual([again.code, /exists already/.test(again.stderr)], [2, true], again.stderr)
    const { stdout } = await cli.runProcess(`operator payouts download ${payoutId}`, variables)
    assert.equal(stdout, await readFile(file, 'utf8'))
  })

  test('is told that a second person must confirm, and that a token never can', async () => {
    const invited = await cli.run('operator users invite --name Joan --email joan@example.com --role viewer')
    assert.equal(invited.code, 0, invited.stderr)
    assert.match(invited.stderr, /a second person must confirm this in the console/)
    const { results } = await cli.json<{ results: { id: string }[] }>(
      'operator directory-approvals list --state pending',
    )
    const { code, stderr } = await cli.run(`operator directory-approvals confirm ${results[0]?.id}`)
    assert.equal(code, 3)
    assert.match(stderr, /session_required.*\n.*a token never confirms anything/)
  })

  test('an unknown id, an invalid value and a missing option are explained', async () => {
    const unknown = await cli.run(`operator orders get ${crypto.randomUUID()}`)
    assert.deepEqual([unknown.code, /not_found/.test(unknown.stderr)], [1, true])
    assert.equal((await cli.run('operator orders get ../users')).code, 2)
    const missing = await cli.run('operator wallets list')
    assert.deepEqual([missing.code, /--account <id>/.test(missing.stderr)], [2, true], missing.stderr)
  })
})
