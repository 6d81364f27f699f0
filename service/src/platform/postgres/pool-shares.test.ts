import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { createLogger } from '../base/log.ts'
import { connectionsPerTenantMax, leaseConnection } from './pool-shares.ts'
import { createPool } from './pools.ts'
import { DatabaseUnavailable } from './sql-errors.ts'

const max = 4
const [noisy, quiet] = ['noisy', 'quiet']

describe('the connections of a pool', async () => {
  const installation = await TestInstallation.create()
  const config = { ...installation.config, databaseConnectTimeoutSeconds: 1 }
  const { databaseUrl: url } = config
  const pool = createPool(
    { url, role: 'investor_token_app', cell: 'main', max },
    config,
    createLogger('silent', 'test'),
  )
  after(() => pool.end())
  after(() => installation.end())

  const take = (tenantId: string | undefined, count: number) =>
    Promise.all(Array.from({ length: count }, () => leaseConnection(pool, tenantId)))

  test('a tenant that keeps its connections leaves some to others, and waits no longer than connecting may', async () => {
    const own = connectionsPerTenantMax(max)
    assert.equal(own, 3)
    const kept = await take(noisy, own)
    const startedAt = performance.now()
    await assert.rejects(leaseConnection(pool, noisy), DatabaseUnavailable)
    assert.ok(performance.now() - startedAt >= 900)
    for (const tenantId of [quiet, undefined]) for (const lease of await take(tenantId, 1)) lease.release()
    for (const { release } of kept) release()
    for (const { release } of await take(noisy, own)) release()
  })

  test('tenants that wait take turns, however many requests each has', async () => {
    const kept = [...(await take(noisy, 3)), ...(await take(undefined, 1))]
    const order: string[] = []
    const waiting = [noisy, noisy, noisy, quiet].map(async (tenantId) => {
      const { release } = await leaseConnection(pool, tenantId)
      order.push(tenantId)
      release()
    })
    // The noisy tenant may have all connections except the fourth.
    kept[0]?.release()
    await Promise.all(waiting)
    assert.deepEqual(order, [noisy, quiet, noisy, noisy])
    for (const { release } of kept.slice(1)) release()
  })

  test('a connection that cannot be opened occupies none', async () => {
    const broken = createPool(
      { url: 'postgres://unknown@127.0.0.1:1/none', role: 'investor_token_app', cell: 'main', max: 1 },
      installation.config,
      createLogger('silent', 'test'),
    )
    for (let count = 0; count < 3; count += 1) await assert.rejects(leaseConnection(broken, noisy), DatabaseUnavailable)
    await broken.end()
  })
})
