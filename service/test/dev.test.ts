import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { Chain } from '../src/tokens/chain/chain.ts'
import { freePort, type RunningProcess, startNode } from './harness/process.ts'
import { until } from './harness/wait.ts'

/** In a copy of the checkout, so that nobody's .dev/ folder is touched. */
describe('npm run dev', () => {
  let checkout: string
  let ports: Record<string, string>

  before(async () => {
    checkout = await mkdtemp(join(tmpdir(), 'investor-token-dev-'))
    const root = join(import.meta.dirname, '../..')
    await cp(join(root, 'service/src'), join(checkout, 'service/src'), { recursive: true })
    await cp(join(root, 'service/migrations'), join(checkout, 'service/migrations'), { recursive: true })
    await cp(join(root, 'contracts/artifacts'), join(checkout, 'contracts/artifacts'), { recursive: true })
    await cp(join(root, 'service/package.json'), join(checkout, 'service/package.json'))
    const { symlink, chmod } = await import('node:fs/promises')
    await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'))
    await chmod(checkout, 0o755)
    const port = await freePort()
    ports = {
      PORT: String(port),
      OPERATOR_PORT: String(await freePort()),
      ANVIL_PORT: String(await freePort()),
      // Last, since the three behind it are taken too.
      METRICS_PORT: String(await freePort()),
    }
  })
  after(() => rm(checkout, { recursive: true, force: true }))

  const start = (...args: string[]) => startNode([join(checkout, 'service/src/main/dev.ts'), ...args], ports)
  const isUp = async (dev: RunningProcess) => {
    const hasSaidSo = () => dev.output.some((line) => line.includes('Ctrl-C stops'))
    await until('dev is up', hasSaidSo, 40_000).catch(() => assert.fail(`dev is not up:\n${dev.output.join('\n')}`))
  }
  const credentials = async () => JSON.parse(await readFile(join(checkout, '.dev/credentials.json'), 'utf8'))

  test('starts everything, prints a curl that works, keeps its data, and starts anew with --fresh', async () => {
    const first = start()
    await isUp(first)
    const written = await credentials()
    assert.equal(written.base_url, `http://127.0.0.1:${ports['PORT']}`)
    assert.equal((await stat(join(checkout, '.dev/credentials.json'))).mode & 0o777, 0o600)
    assert.equal(written.tenants.length, 2)
    assert.deepEqual(Object.keys(written.tenants[0]).toSorted(), ['admin', 'credentials', 'name', 'tenant_id'])
    assert.equal(written.tenants[0].credentials.length, 2)
    assert.deepEqual(Object.keys(written.tenants[0].credentials[0]).toSorted(), [
      'client_id',
      'client_secret',
      'scopes',
    ])

    const from = first.output.findIndex((line) => line.includes('TOKEN='))
    const script = first.output.slice(from, first.output.findIndex((line) => line.includes('Bearer $TOKEN')) + 1)
    const { stdout } = await promisify(execFile)('bash', ['-c', script.join('\n')])
    assert.equal(JSON.parse(stdout).symbol, 'HARB')

    const operatorUrl = `http://127.0.0.1:${ports['OPERATOR_PORT']}`
    assert.equal(written.operator_url, operatorUrl)
    assert.ok(first.output.some((line) => line.includes(`${operatorUrl}/operator`)))
    const authorization = `Bearer ${written.tenants[0].admin.personal_token}`
    const offerings = await fetch(`${operatorUrl}/operator/offerings`, { headers: { authorization } })
    assert.equal(((await offerings.json()) as { pagination: { count: number } }).pagination.count, 1)

    const { chain } = written
    assert.equal(chain.url, `http://127.0.0.1:${ports['ANVIL_PORT']}`)
    assert.ok(
      first.output.some((line) => line.startsWith(`The chain answers at ${chain.url}; ${chain.signer_address}`)),
    )
    const node = new Chain('anvil', chain.url)
    assert.equal(await node.id(), 31_337)
    assert.ok((await node.balance(chain.signer_address)) > 999n * 10n ** 18n)
    await until('it has blocks', async () => (await node.head()).number >= 2n)
    const block = await node.block(2n)
    assert.equal(await first.stop(), 0)

    const second = start()
    await isUp(second)
    assert.deepEqual((await credentials()).tenants, written.tenants)
    assert.deepEqual((await credentials()).chain, chain)
    assert.deepEqual(await node.block(2n), block, 'the same chain goes on')
    assert.equal(await second.stop(), 0)

    const third = start('--fresh')
    await isUp(third)
    assert.notEqual((await credentials()).tenants[0].tenant_id, written.tenants[0].tenant_id)
    assert.notEqual((await credentials()).chain.signer_address, chain.signer_address)
    assert.equal(await third.stop(), 0)
  })
})
