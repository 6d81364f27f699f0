import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { operatorOperations } from '../src/operator-operations.ts'
import type { OperatorOperation, TenantContext, TenantOperation } from '../src/platform/api/declare/operation.ts'
import { accessOf } from '../src/platform/api/pipeline/runner.ts'
import { noOperator } from './harness/callers/operations.ts'
import { Fixtures } from './harness/data/fixtures.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { createLargeRegister } from './harness/load/large-register.ts'
import { type RecordedStatement, recordStatements, runOperation } from './harness/load/recorded-statements.ts'
import type { OperatorWorld } from './harness/operator-requests/operator-request.ts'
import { operatorRequests } from './harness/operator-requests/operator-requests.ts'

const holders = 20_000
/** A page of 25 rows and their related rows reads some hundred blocks of 8 KiB. */
const pageBlocksMax = 2_000

/**
 * Counts the blocks that PostgreSQL reads, not the time: a busy machine changes only the time. Computations of a read
 * do not count, such as the hashes of the audit log.
 */
describe('on a tenant with many rows', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const tenantId = await installation.createTenant('Large')
  const offeringId = await new Fixtures(installation).offering(tenantId, { blockchain: 'anvil' })
  await createLargeRegister(installation, { tenantId, offeringId, holders, accounts: 200 })
  const rows = await installation.rows('select id from cell.account where tenant_id = $1 limit 1', [tenantId])
  const world = {
    tenantId,
    offeringId,
    accountId: rows[0].id,
    clientId: crypto.randomUUID(),
  } as unknown as OperatorWorld

  /** Returns the blocks that all statements of a request read together, as the application's role. */
  async function blocksOf({ header, run }: OperatorOperation, query: Record<string, unknown> = {}): Promise<number> {
    const request = operatorRequests[header.id]
    const ids: Readonly<Record<string, string>> = { ...world, ...request?.idsOf?.(world) }
    const names = Object.keys(header.params?.properties ?? {})
    const params = Object.fromEntries(names.map((name) => [name, ids[name] ?? crypto.randomUUID()]))
    const given = new URLSearchParams(request?.query?.(world)?.join('&') ?? '')
    const input = {
      params,
      query: { ...Object.fromEntries(given), ...query },
      body: request?.body?.({ ...world, ...ids }),
    }
    const statements = await recordStatements(installation, { tenantId, access: 'read' }, (context: TenantContext) =>
      // Most parents do not exist: only the reads before the error count.
      runOperation({ header, run } as unknown as TenantOperation, input, {
        ...context,
        ...noOperator(tenantId, context.now),
      } as typeof context).catch(() => undefined),
    )
    return installation.owner(async (client) => {
      let blocks = 0
      await client.query('begin')
      await client.query('set local role investor_token_app')
      await client.query(`select set_config('app.tenant_id', $1, true)`, [tenantId])
      for (const statement of statements.filter(isRead)) blocks += await blocksRead(client, statement)
      await client.query('rollback')
      return blocks
    })
  }

  const isRead = ({ text }: RecordedStatement) => /^\s*(select|with)/.test(text) && !text.includes('set_config')

  async function blocksRead(
    client: { query(text: string, values: unknown[]): Promise<{ rows: unknown[] }> },
    { text, values }: RecordedStatement,
  ): Promise<number> {
    const explained = await client.query(`explain (analyze, buffers, format json) ${text}`, [...values])
    const [{ 'QUERY PLAN': plans }] = explained.rows as [{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }]
    const { Plan: plan } = plans[0]
    return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
  }

  const reads = operatorOperations.filter(({ header }) => accessOf(header) === 'read')

  for (const operation of reads.filter(({ header }) => header.cost !== 'heavy'))
    test(`${operation.header.id} reads at most ${pageBlocksMax} blocks`, async () => {
      const blocks = await blocksOf(operation)
      assert.ok(blocks <= pageBlocksMax, `${blocks} blocks`)
    })

  for (const [id, query] of [
    ['listRegisterChanges', {}],
    ['listHolders', { block: 900 }],
  ] as const)
    test(`${id} reads more, which its header declares`, async () => {
      const operation = reads.find(({ header }) => header.id === id)
      assert.ok(operation?.header.cost)
      const blocks = await blocksOf(operation, query)
      assert.ok(blocks > pageBlocksMax, `${blocks} blocks`)
    })
})
