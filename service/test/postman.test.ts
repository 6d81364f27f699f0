import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describedOperations } from '../src/operations.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'

interface NewmanReport {
  run: {
    executions: { item: { name: string }; response?: { code: number; stream: { data: number[] } } }[]
    failures: { error: { message: string } }[]
  }
}

const newman = fileURLToPath(import.meta.resolve('newman/bin/newman.js'))

/** Errors that show that a request reached its operation: the examples name unknown ids. */
const reached = ['not_found', 'simulation_not_possible', 'signature_invalid']

describe('the Postman collection', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postman-'))
  const installation = await TestInstallation.create()
  after(async () => {
    await installation.end()
    await rm(folder, { recursive: true })
  })
  const api = await installation.startApi()
  const { clientId, clientSecret } = await installation.issueCredential(await installation.createTenant('A'), {
    requestsPerMinute: 1_000,
  })
  const collection = JSON.parse(
    await readFile(new URL('../../docs/postman_collection.json', import.meta.url), 'utf8'),
  ) as { variable: { key: string; value: string }[] }
  const filled: Record<string, string> = {
    base_url: `${api.baseUrl}/api`,
    client_id: clientId,
    client_secret: clientSecret,
  }
  const variable = collection.variable.map(({ key, value }) => ({ key, value: filled[key] ?? value }))
  await writeFile(join(folder, 'collection.json'), JSON.stringify({ ...collection, variable }))

  async function run(...args: string[]): Promise<NewmanReport['run']> {
    const report = join(folder, 'report.json')
    const options = ['--reporters', 'json', '--reporter-json-export', report, ...args]
    await promisify(execFile)(process.execPath, [newman, 'run', join(folder, 'collection.json'), ...options])
    return (JSON.parse(await readFile(report, 'utf8')) as NewmanReport).run
  }
  const tokenRequests = async () => {
    // A server writes its log lines within a second.
    await sleep(1_500)
    return api.process.output.filter((line) => line.includes('"operation":"authenticate"')).length
  }

  test('has every operation once, each request reaches its operation, and the whole run requests one token', async () => {
    const { executions, failures } = await run()
    assert.deepEqual(failures, [])
    assert.deepEqual(
      executions.map(({ item }) => item.name).toSorted(),
      describedOperations.map(({ header }) => header.summary).toSorted(),
    )
    for (const { item, response } of executions) {
      const { error } = JSON.parse(Buffer.from(response?.stream.data ?? []).toString()) as { error?: { code: string } }
      const isReached = error === undefined || reached.includes(error.code)
      assert.ok(isReached, `${item.name}: ${response?.code} ${error?.code}`)
    }
    assert.equal(await tokenRequests(), 1)
  })

  test('the first request gets its own token, and the others use it', async () => {
    const earlier = await tokenRequests()
    const { executions, failures } = await run('--folder', 'Orders')
    assert.ok(executions.length > 3)
    assert.deepEqual(failures, [])
    assert.equal((await tokenRequests()) - earlier, 1)
  })
})
