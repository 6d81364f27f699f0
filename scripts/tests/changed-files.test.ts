import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { operationsDeclaredIn } from './called-operations.ts'
import { selectTests } from './changed-files.ts'
import type { Change } from './changed-lines.ts'
import { type Project, readProject } from './project.ts'

const orders = 'service/src/sales/orders'

describe('the tests that a change can break', () => {
  let project: Project

  before(async () => {
    project = await readProject(fileURLToPath(new URL('../../', import.meta.url)))
  })

  const selected = (change: Change) => {
    const { tests, ...more } = selectTests(project, [change])
    return { ...more, reasons: new Map(tests.map(({ file, because }) => [file, because])) }
  }
  const reasonsOf = (file: string) => selected({ file }).reasons

  test('are those beside an operation, and those that call it over HTTP without importing it', () => {
    const reasons = reasonsOf(`${orders}/cancel-order.ts`)
    const call = 'calls PATCH /offerings/:offeringId/orders/:orderId/cancel'
    assert.equal(reasons.get(`${orders}/orders.test.ts`), call)
    assert.equal(reasons.get('service/src/money/payments/payments.test.ts'), call)
    assert.equal(reasons.get(`${orders}/lock-order.test.ts`), 'is beside cancel-order.ts')
    assert.equal(reasons.get('service/src/tokens/minting/settlement.full.test.ts'), 'imports cancel-order.ts')
    assert.ok(reasons.size <= 30, `${reasons.size} files`)
  })

  test('are those of the tables if an operation has no others', () => {
    const table = 'service/test/operations-table.test.ts'
    assert.ok(reasonsOf(`${orders}/cancel-order.ts`).has(table))
    assert.ok(!reasonsOf(`${orders}/cancel-locked-order.ts`).has(table))
  })

  test('are few for each operation, and more than those of its tables', () => {
    const files = new Set(project.operations.map(({ file }) => file))
    assert.ok(files.size > 250, `${files.size} operation files`)
    for (const file of files) {
      const { reasons, unread } = selected({ file })
      assert.ok(reasons.size <= 36, `${file}: ${reasons.size}`)
      assert.deepEqual(unread, [], 'the tests of tables are not enough')
    }
  })

  test('are those beside a loop that imports a module, and those that start a worker there', () => {
    const reasons = reasonsOf('service/src/tokens/minting/plan-minting.ts')
    const settlement = reasons.get('service/src/tokens/minting/settlement.full.test.ts')
    assert.equal(settlement, 'starts a worker, which runs plan-minting.ts')
    assert.ok(reasons.has('service/src/tokens/minting/plan-minting.test.ts'))
  })

  test('are a changed test itself, and those that import a narrow harness module', () => {
    const file = `${orders}/soft-cap.test.ts`
    assert.deepEqual([...reasonsOf(file).keys()], [file, 'service/test/tidy.test.ts'])
    const reasons = reasonsOf('service/test/harness/tokens/indexed-world.ts')
    assert.equal(reasons.get('service/src/tokens/indexer/reorg.test.ts'), 'imports indexed-world.ts')
  })

  test('are those of modules that name the tables in a migration', () => {
    const lines = 'alter table cell.token_transfer add column note text;'
    const { reasons } = selected({ file: 'service/migrations/cell/9999_note.sql', lines })
    assert.ok(reasons.has('service/src/tokens/transfers/transfers.test.ts'))
    assert.ok([...reasons.values()].some((reason) => reason.endsWith('which names cell.token_transfer')))
  })

  test('are those of modules that use a setting, and those that set it', () => {
    const lines = "    redisTimeoutMs: withDefault('REDIS_TIMEOUT_MS', integer(10, 10_000), '250'),"
    const { reasons } = selected({ file: 'service/src/platform/base/config.ts', lines })
    assert.equal(reasons.get('service/src/platform/api/rate-limit/rate-limit.test.ts'), 'names REDIS_TIMEOUT_MS')
    assert.ok(reasons.size < 10, `${reasons.size} files`)
  })

  test('are those that read a document, a chart or an API description', () => {
    for (const [file, reader] of [
      ['docs/operations/incidents.md', 'deploy/test/runbooks.test.ts'],
      ['deploy/chart/values.yaml', 'deploy/test/chart.test.ts'],
      ['service/openapi.json', 'service/test/openapi.test.ts'],
      ['docs/configuration.md', 'service/test/tidy.test.ts'],
    ] as const)
      assert.match(reasonsOf(file).get(reader) ?? `${file} is not read`, /reads /)
  })

  test('are those of the workspace for files that are built before its tests', () => {
    assert.ok(reasonsOf('console/src/orders/order-actions.ts').has('console/test/screens.full.test.ts'))
    assert.ok(reasonsOf('contracts/src/MintDesk.sol').has('contracts/test/mint-desk.test.ts'))
    assert.match(reasonsOf('sdk/src/client.ts').get('sdk/test/token.test.ts') ?? '', /imports client.ts/)
  })

  test('are all tests for files that every test uses', () => {
    for (const file of [
      'service/test/harness/installation/test-installation.ts',
      'package-lock.json',
      'service/src/main/open-api.ts',
    ]) {
      const { everything, reasons } = selected({ file })
      assert.ok(everything?.includes(file), file)
      assert.equal(reasons.size, project.testFiles.size)
    }
  })

  test('are the nearest for a widely imported module; the others are counted', () => {
    const { reasons, left } = selected({ file: 'service/src/platform/postgres/cells/tenant-transaction.ts' })
    assert.ok(reasons.has('service/src/platform/postgres/cells/residence.test.ts'))
    assert.ok(reasons.size <= 31 && left.length > 50)
  })

  test('a file that no test reads is named', () => {
    assert.deepEqual(selected({ file: 'LICENSE' }).unread, ['LICENSE'])
  })
})

test('an operation has the method and path of its header, and a list is read', () => {
  const header = "export const x = keysetListOperation(\n  {\n    id: 'x',\n    path: '/x/:xId',\n  },"
  assert.deepEqual(operationsDeclaredIn('x.ts', header), [{ file: 'x.ts', method: 'GET', path: '/x/:xId' }])
})
