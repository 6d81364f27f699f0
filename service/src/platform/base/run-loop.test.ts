import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fastify } from 'fastify'
import { serveHealth } from '../api/server/health.ts'
import { createLogger } from './log.ts'
import { hungLoops, runLoop } from './run-loop.ts'

const hungAfterMs = 300

test('a loop that hangs makes /livez fail; one that beats, pauses or has stopped does not', async () => {
  const stuck = Promise.withResolvers<void>()
  const app = fastify()
  const health = { isDraining: () => false, check: async () => ({ status: 'ready' as const, checks: {} }) }
  serveHealth(app, health, { log: createLogger('silent', 'test'), hungAfterMs })
  const livez = async () => (await app.inject('/livez')).statusCode
  // Loads the code that `inject` needs, which delays the loops on a busy machine.
  await livez()
  let isSlow = true
  const slow = runLoop('slow', 1, async (beat) => {
    while (isSlow) {
      beat()
      await sleep(5)
    }
  })
  const pausing = runLoop('pausing', 60_000, async () => {})
  await sleep(3 * hungAfterMs)
  assert.deepEqual(hungLoops(hungAfterMs), [])
  assert.equal(await livez(), 200)
  const hanging = runLoop('hanging', 1, () => stuck.promise)
  await sleep(3 * hungAfterMs)
  assert.deepEqual(hungLoops(hungAfterMs), ['hanging'])
  assert.equal(await livez(), 503)
  isSlow = false
  stuck.resolve()
  await Promise.all([slow, pausing, hanging].map((loop) => loop.stop()))
  assert.equal(await livez(), 200)
  await app.close()
})
