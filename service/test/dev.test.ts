import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
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
    await cp(join(root, 'service/package.json'), join(checkout, 'service/package.json'))
    const { symlink, chmod } = await import('node:fs/promises')
    await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'))
    await chmod(checkout, 0o755)
    const port = await freePort()
    ports = { PORT: String(port), METRICS_PORT: String(await freePort()) }
  })
  after(() => rm(checkout, { recursive: true, force: true }))

  const start = (...args: string[]) => startNode([join(checkout, 'service/src/main/dev.ts'), ...args], ports)
  const isUp = (dev: RunningProcess) =>
    until('dev is up', () => dev.output.some((line) => line.includes('Ctrl-C stops')), 40_000)
  const credentials = async () => JSON.parse(await readFile(join(checkout, '.dev/credentials.json'), 'utf8'))

  test('starts everything, prints a curl that works, keeps its data, and starts anew with --fresh', async () => {
    const first = start()
    await isUp(first)
    const written = await credentials()
    assert.equal(written.base_url, `http://127.0.0.1:${ports['PORT']}`)
    assert.equal((await stat(join(checkout, '.dev/credentials.json'))).mode & 0o777, 0o600)
    assert.equal(written.tenants.length, 2)
    assert.deepEqual(Object.keys(written.tenants[0]).toSorted(), ['credentials', 'name', 'tenant_id'])
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
    assert.equal(await first.stop(), 0)

    const second = start()
    await isUp(second)
    assert.deepEqual((await credentials()).tenants, written.tenants)
    assert.equal(await second.stop(), 0)

    const third = start('--fresh')
    await isUp(third)
    assert.notEqual((await credentials()).tenants[0].tenant_id, written.tenants[0].tenant_id)
    assert.equal(await third.stop(), 0)
  })
})
