import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Fixtures } from '../../../../test/harness/data/fixtures.ts'
import type { ApiResponse } from '../../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../../test/harness/installation/shared-installation.ts'
import { RedisServer } from '../../../../test/harness/servers/redis-server.ts'
import { until } from '../../../../test/harness/wait.ts'

describe('rate limit without Redis', async () => {
  const redis = await RedisServer.start()
  const installation = await sharedInstallation({ REDIS_URL: redis.url })
  const api = await installation.startApiProcess()
  const tenantId = await installation.createTenant('A')
  const path = `/offerings/${await new Fixtures(installation).offering(tenantId)}`
  after(() => installation.end())
  after(() => redis.stop())

  const countOf = (responses: ApiResponse[], status: number) =>
    responses.filter((response) => response.status === status).length

  test('if Redis stops, no request fails, each process counts on its own, and readiness reports degraded', async () => {
    const credential = await installation.issueCredential(tenantId)
    const busy = await installation.issueCredential(tenantId, { requestsPerMinute: 60_000 })
    const [token, busyToken] = [await api.token(credential), await api.token(busy)]
    for (let count = 0; count < 20; count++) await api.call('GET', path, { token })
    const responses: ApiResponse[] = []
    const load = Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let count = 0; count < 60; count++) responses.push(await api.call('GET', path, { token: busyToken }))
      }),
    )
    await until('the load is running', () => responses.length > 50)
    await redis.kill()
    await load
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
    // Redis counted 21, which this process has recorded, so 9 are left.
    const rest = await Promise.all(Array.from({ length: 20 }, () => api.call('GET', path, { token })))
    assert.deepEqual([countOf(rest, 200), countOf(rest, 429)], [9, 11])
    const others = { directory: 'ok', 'cell main': 'ok', migrations: 'current' }
    await api.reports(200, 'degraded', { ...others, redis: 'down' })
    await redis.restart()
    await api.reports(200, 'ready')
  })

  /** Returns the durations of the requests that eight clients send in three seconds without Redis. */
  async function durationsWhileFrozen(token: string): Promise<number[]> {
    const durations: number[] = []
    redis.freeze()
    try {
      const endsAt = performance.now() + 3_000
      const clients = Array.from({ length: 8 }, async () => {
        while (performance.now() < endsAt) {
          const startedAt = performance.now()
          assert.equal((await api.call('GET', path, { token })).status, 200)
          durations.push(performance.now() - startedAt)
        }
      })
      await Promise.all(clients)
    } finally {
      redis.thaw()
    }
    return durations
  }

  test('a frozen Redis delays one request a second, fails none, and counts none of them after it thaws', async () => {
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 60_000 })
    const token = await api.token(credential)
    await api.call('GET', path, { token })
    // The concurrent first requests all wait; after that, one request a second probes Redis. A busy machine delays
    // requests too, so the best of three runs counts.
    const delayedMax = 8 + 4
    let delayed = Number.POSITIVE_INFINITY
    for (let run = 0; run < 3 && delayed > delayedMax; run += 1) {
      const durations = await durationsWhileFrozen(token)
      delayed = durations.filter((ms) => ms > 240).length
    }
    assert.ok(delayed <= delayedMax, `${delayed} requests waited`)
    await api.reports(200, 'ready')
    await until('entries of timed-out requests are removed', async () => (await redis.count(credential.clientId)) <= 4)
  })

  test('a read-only Redis counts as down, and readiness reports it', async () => {
    const credential = await installation.issueCredential(tenantId)
    const token = await api.token(credential)
    await redis.readOnly(true)
    try {
      assert.equal((await api.call('GET', path, { token })).status, 200)
      await api.reports(200, 'degraded', { redis: 'down' })
    } finally {
      await redis.readOnly(false)
    }
    await api.reports(200, 'ready', { redis: 'ok' })
  })
})
