import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { Chain } from '../src/tokens/chain/chain.ts'
import { freePort, type RunningProcess, startNode } from './harness/installation/process.ts'
import { until } from './harness/wait.ts'

/** Runs in a copy of the checkout, so that the .dev/ folder of the developer is not touched. */
describe('npm run dev', async () => {
  const checkout = await mkdtemp(join(tmpdir(), 'investor-token-dev-'))
  after(async () => {
    // After a failure one may still run, and a test file ends only with its processes.
    await Promise.all(started.map((dev) => dev.stop()))
    await rm(checkout, { recursive: true, force: true })
  })
  const root = join(import.meta.dirname, '../..')
  await cp(join(root, 'service/src'), join(checkout, 'service/src'), { recursive: true })
  await cp(join(root, 'service/pages'), join(checkout, 'service/pages'), { recursive: true })
  await cp(join(root, 'service/migrations'), join(checkout, 'service/migrations'), { recursive: true })
  await cp(join(root, 'contracts/artifacts'), join(checkout, 'contracts/artifacts'), { recursive: true })
  await cp(join(root, 'service/package.json'), join(checkout, 'service/package.json'))
  const { symlink, chmod } = await import('node:fs/promises')
  await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'))
  await chmod(checkout, 0o755)
  const port = await freePort()
  const ports = {
    PORT: String(port),
    OPERATOR_PORT: String(await freePort()),
    ANVIL_PORT: String(await freePort()),
    PROVIDER_PORT: String(await freePort()),
    // Chosen last, because the three following ports are used too.
    METRICS_PORT: String(await freePort()),
  }

  const started: RunningProcess[] = []
  const start = (...args: string[]) => {
    const dev = startNode([join(checkout, 'service/src/dev/dev.ts'), ...args], ports)
    started.push(dev)
    return dev
  }
  const isUp = async (dev: RunningProcess) => {
    const hasInstructions = () => dev.output.some((line) => line.includes('Press Ctrl-C'))
    await until('dev is up', hasInstructions, 180_000).catch(() =>
      assert.fail(`dev is not up:\n${dev.output.join('\n')}`),
    )
  }
  const credentials = async () => JSON.parse(await readFile(join(checkout, '.dev/credentials.json'), 'utf8'))

  /** Asserts that the console's tenant has every state of an offering, and work for a person. */
  const hasWorkFor = async (operatorUrl: string, token: string) => {
    const list = async (path: string) => {
      const response = await fetch(`${operatorUrl}/operator${path}`, { headers: { authorization: `Bearer ${token}` } })
      return ((await response.json()) as { results: Record<string, unknown>[] }).results
    }
    const offerings = await list('/offerings')
    assert.deepEqual(new Set(offerings.map(({ status }) => status)), new Set(['DRAFT', 'OPEN', 'PAUSED', 'CLOSED']))
    const waiting = await list('/approvals?state=pending')
    assert.deepEqual(waiting.map(({ operation }) => operation).toSorted(), [
      'approveDistribution',
      'changeSaleTerms',
      'openOffering',
      'releasePayout',
    ])
    assert.deepEqual(
      offerings.filter((one) => one['lock_up_until']).map(({ symbol }) => symbol),
      ['QUAY'],
    )
    const distributions = await list('/distributions')
    assert.deepEqual(distributions.map(({ status }) => status).toSorted(), ['CALCULATED', 'CLOSED'])
    const paid = distributions.find(({ status }) => status === 'CLOSED')
    const entitlements = await list(`/distributions/${String(paid?.['id'])}/entitlements`)
    assert.deepEqual(
      entitlements.map(({ status }) => status),
      Array(5).fill('paid'),
    )
    assert.equal((await list('/kyc-checks?status=queued')).length, 1)
    assert.equal((await list('/transfers?status=REQUESTED')).length, 1)
    await until('the bank entries are matched', async () => (await list('/unassigned-payments')).length === 3)
    await until('a paid order is blocked', async () =>
      (await list('/orders?status=PAID')).some(({ blockers }) => (blockers as object[]).length > 0),
    )
    await until(
      'the webhook endpoint fails',
      async () => (await list('/webhook-endpoints'))[0]?.['failing_since'] !== null,
    )
  }

  /** Returns the addresses that README.md names, and its `curl` commands. */
  const readmeLines = async () => {
    const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8')
    const [, commands = ''] = /^```sh\n(TOKEN=.*?)\n```$/ms.exec(readme) ?? []
    const addresses = [...readme.matchAll(/^- the .* at (http:[^\s,]*[^\s,.])/gm)].map(([, address = '']) => address)
    return { commands: commands.split('\n'), addresses }
  }
  /** Removes everything that differs between two starts: ids, secrets and ports. */
  const normalised = (line: string) =>
    line
      .trim()
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|its_[\w-]+/g, '…')
      .replaceAll(/(127\.0\.0\.1|localhost):\d+/g, '$1:<port>')

  test('starts everything, prints what README.md shows and a working curl command, keeps its data, and deletes it with --fresh', async () => {
    const first = start()
    await isUp(first)
    const written = await credentials()
    assert.equal(written.base_url, `http://127.0.0.1:${ports['PORT']}`)
    assert.equal((await stat(join(checkout, '.dev/credentials.json'))).mode & 0o777, 0o600)
    assert.equal(written.tenants.length, 3)
    assert.deepEqual(Object.keys(written.tenants[0]).toSorted(), ['credentials', 'name', 'tenant_id', 'user'])
    assert.equal(written.tenants[0].credentials.length, 2)
    assert.deepEqual(Object.keys(written.tenants[0].credentials[0]).toSorted(), [
      'client_id',
      'client_secret',
      'scopes',
    ])

    const printed = first.output.map(normalised)
    const { commands, addresses } = await readmeLines()
    assert.deepEqual([commands.length, addresses.length], [4, 2])
    for (const line of commands.map(normalised)) assert.ok(printed.includes(line), line)
    for (const address of addresses.map(normalised)) assert.ok(printed.join('\n').includes(address), address)

    const from = first.output.findIndex((line) => line.includes('TOKEN='))
    const script = first.output.slice(from, first.output.findIndex((line) => line.includes('Bearer $TOKEN')) + 1)
    const { stdout } = await promisify(execFile)('bash', ['-c', script.join('\n')])
    assert.equal(JSON.parse(stdout).symbol, 'HARB')

    const operatorUrl = `http://127.0.0.1:${ports['OPERATOR_PORT']}`
    assert.equal(written.operator_url, operatorUrl)
    assert.ok(first.output.some((line) => line.includes(`${operatorUrl}/operator`)))
    const authorization = `Bearer ${written.tenants[0].user.personal_token}`
    const offerings = await fetch(`${operatorUrl}/operator/offerings`, { headers: { authorization } })
    assert.equal(((await offerings.json()) as { pagination: { count: number } }).pagination.count, 1)

    const examples = written.tenants[2].user.personal_token
    await until('the examples are complete', async () => (await credentials()).examples.is_complete, 180_000)
    await hasWorkFor(operatorUrl, examples)

    const { chain } = written
    assert.equal(chain.url, `http://127.0.0.1:${ports['ANVIL_PORT']}`)
    assert.ok(
      first.output.includes(
        `The chain (anvil) is at ${chain.url}; the first demo tenant signs as ${chain.signer_address}.`,
      ),
    )
    const node = new Chain('anvil', chain.url)
    assert.equal(await node.id(), 31_337)
    assert.ok((await node.balance(chain.signer_address)) > 999n * 10n ** 18n)
    await until('the chain has blocks', async () => (await node.head()).number >= 2n)
    const block = await node.block(2n)
    assert.equal(await first.stop(), 0)

    const second = start()
    await isUp(second)
    assert.deepEqual((await credentials()).tenants, written.tenants)
    assert.deepEqual((await credentials()).chain, chain)
    assert.deepEqual(await node.block(2n), block, 'the same chain continues')
    assert.equal(await second.stop(), 0)

    const third = start('--fresh')
    await isUp(third)
    assert.notEqual((await credentials()).tenants[0].tenant_id, written.tenants[0].tenant_id)
    assert.notEqual((await credentials()).chain.signer_address, chain.signer_address)
    assert.equal(await third.stop(), 0)
  })
})
