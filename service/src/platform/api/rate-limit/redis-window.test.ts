import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redisUrl } from '../../../../test/harness/installation/database.ts'
import { startNode } from '../../../../test/harness/installation/process.ts'

const script = `
  import { RedisWindow } from './src/platform/api/rate-limit/redis-window.ts'
  import { createLogger } from './src/platform/base/log.ts'
  const log = createLogger('info', 'test')
  new RedisWindow({ url: '${redisUrl}', prefix: '', timeoutMs: 1_000 }, log).close()
  setTimeout(() => process.exit(2), 10_000).unref()`

test('a window that is closed while it connects leaves no connection open, and logs nothing', async () => {
  const running = startNode(['--input-type=module', '-e', script], {})
  assert.equal(await running.ended, 0)
  assert.deepEqual(running.output, [])
})
