import type { TenantContext, TenantOperation, ValidatedInput } from '../../../src/platform/api/declare/operation.ts'
import { TargetRules } from '../../../src/platform/outbound/target-rules.ts'
import type { Databases } from '../../../src/platform/postgres/pools.ts'
import { inTransaction } from '../../../src/platform/postgres/run-transaction.ts'
import type { Access, Transaction } from '../../../src/platform/postgres/transaction.ts'
import { Vaults } from '../../../src/platform/postgres/vault.ts'
import type { TestInstallation } from '../installation/test-installation.ts'

export interface RecordedStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/**
 * Runs work in a transaction as the pipeline does. Returns every statement that it sent to PostgreSQL, so that pgbench
 * always runs the statements that the API really sends.
 */
export async function recordStatements(
  { databases, config }: TestInstallation,
  { tenantId, access }: { tenantId: string; access: Access },
  work: (context: TenantContext) => Promise<unknown>,
): Promise<RecordedStatement[]> {
  let statements: RecordedStatement[] = []
  const pool = recording(databases.directory, (statement) => statements.push(statement))
  const run = inContext(config, tenantId, work)
  // Runs twice: only the first run reads the tenant's data keys, which the process then caches.
  await inTransaction(pool, { access, identity: { tenantId } }, run)
  statements = []
  await inTransaction(pool, { access, identity: { tenantId } }, run)
  return statements
}

/** Counts the transaction's waits for PostgreSQL once process and connection have cached what they can. */
export async function countRoundTrips(
  { databases, config }: TestInstallation,
  { tenantId, access }: { tenantId: string; access: Access },
  work: (context: TenantContext) => Promise<unknown>,
): Promise<number> {
  let sent = 0
  const connect = async () => {
    const client = await databases.directory.connect()
    // The driver sees a batch of prepared statements as one query.
    const query = (...args: unknown[]) => {
      sent += 1
      return (client.query as (...all: unknown[]) => unknown)(...args)
    }
    return Object.assign(Object.create(client), { query })
  }
  const pool: Pool = Object.assign(Object.create(databases.directory), { connect })
  const run = inContext(config, tenantId, work)
  for (let attempt = 0; attempt < 2; attempt += 1) {
    sent = 0
    await inTransaction(pool, { access, identity: { tenantId } }, run)
  }
  return sent
}

/** Wraps work so that it gets the context that the pipeline gives to an operation. */
function inContext(
  config: TestInstallation['config'],
  tenantId: string,
  work: (context: TenantContext) => Promise<unknown>,
): (tx: Transaction) => Promise<unknown> {
  const vaults = new Vaults(config.dataMasterKeys)
  return (tx) =>
    work({
      tenantId,
      tx,
      vault: vaults.of(tx, tenantId),
      now: new Date(),
      selfUrl: 'http://127.0.0.1/api',
      callerId: tenantId,
      scopes: [],
      audit: () => {},
      targets: new TargetRules(config),
      walletProofUrl: config.walletProofUrl,
      contractSignature: undefined,
    })
}

/** Runs an operation with an input that the pipeline would have accepted. */
export function runOperation(
  operation: TenantOperation,
  input: Partial<ValidatedInput>,
  context: TenantContext,
): Promise<unknown> {
  return operation.run({ params: {}, query: {}, body: undefined, file: undefined, ...input }, context)
}

/**
 * Returns the generic plan of a statement for the role of the application, with the given ways to run it switched off.
 */
export function genericPlan(
  installation: TestInstallation,
  { text, values }: RecordedStatement,
  without = ['enable_seqscan', 'enable_bitmapscan', 'enable_sort', 'enable_incremental_sort'],
): Promise<string> {
  return installation.owner(async (client) => {
    await client.query('begin')
    await client.query('set local role investor_token_app')
    for (const setting of without) await client.query(`set local ${setting} = off`)
    await client.query('set local plan_cache_mode = force_generic_plan')
    await client.query(`prepare planned as ${text}`)
    const nulls = values.length > 0 ? `(${values.map(() => 'null').join()})` : ''
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) execute planned${nulls}`)
    await client.query('rollback')
    await client.query('deallocate all')
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}

type Pool = Databases['directory']

/** Wraps the pool to record statements. An empty list of prepared statements makes the driver send each text. */
function recording(pool: Pool, record: (statement: RecordedStatement) => void): Pool {
  const connect = async () => {
    const client = await pool.connect()
    const query = (statement: string | { text: string; values?: unknown[] }) => {
      const { text, values = [] } = typeof statement === 'string' ? { text: statement } : statement
      record({ text, values })
      return client.query(statement as string)
    }
    return Object.assign(Object.create(client), { query, connection: { parsedStatements: {} } })
  }
  return Object.assign(Object.create(pool), { connect })
}
