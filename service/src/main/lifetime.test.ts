import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startNode } from '../../test/harness/installation/process.ts'
import { TestInstallation } from '../../test/harness/installation/test-installation.ts'
import { withLifetime } from './lifetime.ts'

/** Closes each part before, while and after it starts, then prints anything that keeps the process from ending. */
const script = `
  import { integratorApi } from './src/main/integrator-api.ts'
  import { openApi } from './src/main/open-api.ts'
  import { openIndexer } from './src/main/open-indexer.ts'
  import { openWorker } from './src/main/open-worker.ts'
  import { servedOperatorApi } from './src/main/served-operator-api.ts'
  import { readConfig } from './src/platform/base/config.ts'
  import { createLogger } from './src/platform/base/log.ts'
  const config = readConfig()
  const log = createLogger('silent', 'test')
  const parts = [
    () => openApi(integratorApi, config, log),
    () => openApi(servedOperatorApi, config, log),
    () => openWorker(config, log),
    () => openIndexer(config, log),
  ]
  const ways = [
    (opened) => Promise.all([opened.close(), opened.close()]),
    (opened) => Promise.all([opened.start(), opened.close()]),
    async (opened) => {
      await opened.start()
      await opened.close()
    },
  ]
  await Promise.all(parts.flatMap((open) => ways.map(async (way) => way(await open()))))
  console.log('closed')
  setTimeout(() => {
    console.log(process.getActiveResourcesInfo().join())
    process.exit(2)
  }, 20_000).unref()`

describe('an API, an operator API, a worker and an indexer in one process', () => {
  let installation: TestInstallation
  before(async () => {
    installation = await TestInstallation.create({
      DATABASE_POOL_MAX: '4',
      PORT: '0',
      OPERATOR_PORT: '0',
      INDEXER_PORT: '0',
      CHAINS: 'polygon=http://127.0.0.1:1',
    })
  })
  after(() => installation.end())

  for (const [state, settings] of [
    ['are closed', {}],
    [
      'without databases are closed',
      { DATABASE_URL: 'postgres://127.0.0.1:1/nothing', REDIS_URL: 'redis://127.0.0.1:1' },
    ],
  ] as const)
    test(`${state} before, while and after they start, and leave nothing open: the process ends by itself`, async () => {
      const running = startNode(['--input-type=module', '-e', script], { ...installation.settings, ...settings })
      assert.equal(await running.ended, 0, running.output.join('\n'))
      assert.deepEqual(running.output, ['closed'])
    })
})

test('everything opened is closed in reverse order, even if the rest fails to open, and nothing starts later', async () => {
  const closed: number[] = []
  const open = (start: () => Promise<void>, problem?: Error) =>
    withLifetime(async (closing) => {
      for (const part of [1, 2]) closing.defer(() => void closed.push(part))
      if (problem) throw problem
      return { start, drain: () => undefined }
    })
  const fails = async () => {
    throw new Error('the port is taken')
  }
  await assert.rejects(open(fails, new Error('a setting is wrong')), /a setting is wrong/)
  assert.deepEqual(closed.splice(0), [2, 1])
  const opened = await open(fails)
  await assert.rejects(opened.start(), /the port is taken/)
  await Promise.all([opened.close(), opened.close()])
  assert.deepEqual(closed, [2, 1])
  await assert.rejects(opened.start(), /closed before it started/)
})
