import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { operations } from '../src/operations.ts'
import type { TenantOperation } from '../src/platform/api/declare/operation.ts'
import { type RecordedStatement, recordStatements, runOperation } from './harness/recorded-statements.ts'
import { TestInstallation } from './harness/service.ts'

const lists = operations.filter(
  (operation): operation is TenantOperation =>
    operation.kind === 'tenant' && operation.header.query?.properties['direction'] !== undefined,
)

/**
 * The millionth page costs as much as the first only if the planner uses both bounds of the positions as index
 * conditions. Its rules under row-level security have changed within a major version of PostgreSQL, and a small
 * database would not show it.
 */
describe('a page of a list is one index seek, whatever its offset', () => {
  let installation: TestInstallation
  let tenantId: string

  before(async () => {
    installation = await TestInstallation.create()
    tenantId = await installation.createTenant('Flat')
  })
  after(() => installation.end())

  /** The generic plan as the application's role gets it, for a database whose tables are too large for a full scan. */
  const planOf = ({ text, values }: RecordedStatement): Promise<string> =>
    installation.owner(async (client) => {
      await client.query('begin')
      await client.query('set local role investor_token_app')
      for (const setting of ['enable_seqscan', 'enable_bitmapscan', 'enable_sort'])
        await client.query(`set local ${setting} = off`)
      await client.query('set local plan_cache_mode = force_generic_plan')
      await client.query(`prepare page as ${text}`)
      const nulls = values.map(() => 'null').join()
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) execute page(${nulls})`)
      await client.query('rollback')
      await client.query('deallocate all')
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })

  assert.equal(lists.length, 7)
  for (const operation of lists)
    for (const direction of ['asc', 'desc'])
      test(`GET ${operation.header.path} ${direction}`, async () => {
        const names = Object.keys(operation.header.params?.properties ?? {})
        const params = Object.fromEntries(names.map((name) => [name, crypto.randomUUID()]))
        const input = { params, query: { direction, limit: 50, offset: 1_000_000 } }
        const statements = await recordStatements(installation, { tenantId, access: 'read' }, (context) =>
          // The operation queries a parent that does not exist in the same round trip as its list.
          runOperation(operation, input, context).catch(() => undefined),
        )
        const [page, ...others] = statements.filter(({ text }) => /position.* limit 50/s.test(text))
        assert.ok(page && others.length === 0, 'one statement selects the page')
        const plan = await planOf(page)
        const bounds = /Index Cond: .*position"? (<|>=) .*position"? (<|>=) /
        assert.match(plan, bounds)
        assert.doesNotMatch(plan, /Filter: .*position/)
      })
})
