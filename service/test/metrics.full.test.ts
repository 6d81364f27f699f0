import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { PacedChain } from './harness/chain/paced-chain.ts'
import { freePort } from './harness/installation/process.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { planAll, SettlementWorld } from './harness/tokens/settlement-world.ts'
import { until } from './harness/wait.ts'

const version = (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string })
  .version

/** Runs three processes, whose node dies once the indexer has followed it and before the worker starts. */
describe('metrics', async () => {
  const ports = { api: 0, worker: 0, indexer: 0 }
  type Name = keyof typeof ports
  const names = Object.keys(ports) as Name[]

  const scrape = async (name: Name) => (await fetch(`http://127.0.0.1:${ports[name]}/metrics`)).text()

  /** Returns the value of the first series with all these labels, or undefined without one. */
  async function sample(name: Name, metric: string, labels: Record<string, string> = {}): Promise<number | undefined> {
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
    const line = (await scrape(name))
      .split('\n')
      .find((one) => /^\w+/.exec(one)?.[0] === metric && wanted.every((label) => one.includes(label)))
    return line === undefined ? undefined : Number(line.split(' ').at(-1))
  }

  for (const name of names) ports[name] = await freePort()
  const [installation, chain] = await Promise.all([TestInstallation.create(), PacedChain.start()])
  const world = await SettlementWorld.create(installation, chain)
  after(async () => {
    await installation.end()
    await world.end()
  })
  await world.readyOrders(await world.investor(), 1)
  const pool = world.workerPool()
  await planAll(pool, world.context())
  await pool.end()
  const settings = (name: Name) => ({ ...world.settings, METRICS_PORT: String(ports[name]) })
  const [, api] = await Promise.all([
    installation.startIndexerProcess(settings('indexer')),
    installation.startApiProcess(settings('api')),
  ])
  await until('the indexer follows the chain', async () => (await sample('indexer', 'indexer_up')) === 1)
  assert.equal(await sample('indexer', 'indexer_lag_blocks'), 0)
  await chain.stop()
  const worker = await installation.startWorkerProcess(settings('worker'))

  test('an indexer whose node is dead is not up, and its lag grows instead of being 0', async () => {
    await until('the indexer is down', async () => (await sample('indexer', 'indexer_up')) === 0)
    await until('its lag grows', async () => ((await sample('indexer', 'indexer_lag_seconds')) ?? 0) > 3)
    assert.equal(await sample('indexer', 'indexer_lag_blocks'), Number.NaN)
    const last = (await sample('indexer', 'indexer_last_success_time_seconds')) ?? 0
    assert.ok(Math.abs(Date.now() / 1000 - last) < 600, String(last))
    await until('calls of the node are counted', async () =>
      (await scrape('indexer')).includes('rpc_errors_total{chain="anvil",method="eth_getBlockByNumber"}'),
    )
  })

  test('settlement that waits for a dead node is counted, measured and logged once', async () => {
    await worker.logged('settlement stands still: chain ops wait for a node that does not respond')
    const labels = { cell: 'main', chain: 'anvil' }
    assert.ok(((await sample('worker', 'chain_op_failures_total', { ...labels, reason: 'node' })) ?? 0) > 0)
    await until('open chain ops and orders are measured', async () => {
      const ops = await sample('worker', 'chain_ops', { ...labels, state: 'QUEUED' })
      const orders = await sample('worker', 'orders_unminted', { ...labels, state: 'READYTOMINT' })
      return (ops ?? 0) > 0 && orders === 1
    })
    assert.ok(((await sample('worker', 'chain_op_oldest_seconds', labels)) ?? 0) > 0)
    const lines = worker.output.filter((line) => line.includes('settlement stands still'))
    assert.equal(lines.length, 1)
  })

  test('counters exist with 0 before the first event, so that increase() sees it', async () => {
    const labels = { chain: 'anvil', cell: 'main' }
    for (const [process, metric, own] of [
      ['api', 'rate_limited_requests_total', {}],
      ['api', 'request_log_lost_total', {}],
      ['api', 'requests_refused_total', { reason: 'in_flight' }],
      ['worker', 'webhook_attempts_total', { cell: 'main', outcome: 'TIMEOUT' }],
      ['worker', 'reconciliation_differences_total', labels],
      ['worker', 'chain_op_fee_limited_total', labels],
      ['worker', 'job_failures_total', { cell: 'main', task: 'refund-offering', final: 'true' }],
      ['indexer', 'indexer_mint_alarms_total', labels],
    ] as const)
      assert.equal(await sample(process, metric, own), 0, metric)
    // On a busy machine a loop can already have failed, for example for lock_timeout.
    const failures = await sample('worker', 'loop_failures_total', { loop: 'roll-partitions', cell: 'main' })
    assert.notEqual(failures, undefined)
  })

  test('measurements per cell have the cell as a label', async () => {
    await until(
      'the cell is measured',
      async () => (await sample('worker', 'event_outbox_rows', { cell: 'main' })) !== undefined,
    )
    for (const metric of [
      'webhook_tenants_behind',
      'event_outbox_oldest_seconds',
      'offerings_minting_stopped',
      'tenants_leaving',
    ])
      assert.ok((await sample('worker', metric, { cell: 'main' })) !== undefined, metric)
    assert.equal(await sample('worker', 'webhook_endpoints', { cell: 'main', state: 'failing' }), 0)
    assert.equal(await sample('worker', 'jobs', { cell: 'main', queue: 'statements', state: 'failed' }), 0)
    assert.equal(await sample('worker', 'jobs_oldest_seconds', { cell: 'main', queue: 'webhooks' }), 0)
    await until(
      'its size is measured',
      async () => ((await sample('worker', 'cell_used_ratio', { cell: 'main' })) ?? 0) > 0,
    )
    assert.ok(((await sample('worker', 'cell_measured_age_seconds', { cell: 'main' })) ?? 999) < 120)
  })

  test('each process has its own name, version and instance', async () => {
    const instances = new Set<string>()
    for (const name of names) {
      const info = (await scrape(name)).split('\n').find((line) => line.startsWith('target_info{')) ?? ''
      assert.ok(info.includes(`service_name="investor-token-${name}"`), info)
      assert.ok(info.includes(`service_version="${version}"`), info)
      instances.add(/service_instance_id="([^"]+)"/.exec(info)?.[1] ?? '')
      assert.equal(await sample(name, 'build_info', { process: name, version }), 1)
      assert.ok(((await sample(name, 'process_resident_memory_bytes')) ?? 0) > 1e7)
    }
    assert.equal(instances.size, names.length)
  })

  test('probes are not measured as requests', async () => {
    for (const probe of ['/livez', '/readyz', '/livez']) await fetch(api.baseUrl + probe)
    assert.equal((await fetch(`${api.baseUrl}/api/missing`)).status, 404)
    const metric = 'http_server_request_duration_count'
    await until('the other request is measured', async () => (await sample('api', metric, { status: '404' })) === 1)
    assert.equal(await sample('api', metric, { operation: 'none', status: '200' }), undefined)
  })

  test('requests count for the cell of their tenant, and streams and unknown paths do not', async () => {
    const credential = await installation.issueCredential(world.tenantId)
    const token = await api.token(credential)
    const count = async (cell: string, outcome: string) =>
      (await sample('api', 'cell_requests_total', { cell, outcome })) ?? 0
    const served = async () => (await count('main', 'good')) + (await count('main', 'slow'))
    const already = await served()
    assert.ok((await count('directory', 'good')) + (await count('directory', 'slow')) > 0, 'the token')
    assert.equal(await count('main', 'failed'), 0)
    await api.call('GET', `/offerings/${world.offeringId}`, { token })
    await api.call('GET', '/missing', { token })
    await until('the request is counted', async () => (await served()) === already + 1)
  })

  test('a worker is alive and ready, and reports each queue', async () => {
    const { port } = await worker.logged('started')
    const probe = async (path: string) => (await fetch(`http://127.0.0.1:${Number(port)}${path}`)).status
    assert.equal(await probe('/livez'), 200)
    await until('all queues work', async () => (await probe('/readyz')) === 200)
    await until('each queue is reported', async () => {
      await probe('/readyz')
      return (await sample('worker', 'readiness_check', { check: 'queue statements of main' })) === 1
    })
    assert.equal(await sample('worker', 'loops_hung'), 0)
  })

  test('no series names a tenant, and the page of metrics has every metric', async () => {
    // Runs in a separate process, which loads every module that declares a metric, and only from source.
    const module = new URL('../../scripts/metrics-document.ts', import.meta.url).href
    const code = `process.stdout.write(await (await import('${module}')).metricsDocument())`
    // While this process waits, it must notice that the others close connections that are idle.
    const { stdout: document } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
    for (const name of names) {
      const text = await scrape(name)
      assert.ok(!text.includes(world.tenantId), `${name} names a tenant`)
      const exported = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, metric = '']) => metric)
      const unknown = exported.filter(
        (metric) => !/^(nodejs|v8js|target_info)/.test(metric) && !document.includes(`\`${metric}\``),
      )
      assert.deepEqual(unknown, [], name)
    }
  })
})
