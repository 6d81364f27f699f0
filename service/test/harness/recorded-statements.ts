import type { TenantContext, TenantOperation } from '../../src/platform/api/declare/operation.ts'
import type { Databases } from '../../src/platform/db/pools.ts'
import { type Access, inTransaction, type Transaction } from '../../src/platform/db/transaction.ts'
import { Vaults } from '../../src/platform/db/vault.ts'
import { TargetRules } from '../../src/platform/outbound/target-rules.ts'
import type { TestInstallation } from './service.ts'

export interface RecordedStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/**
 * Runs an operation in a transaction as the pipeline does, and tells every statement that went to PostgreSQL. So what
 * pgbench runs is what the API sends, and stays so when the API changes.
 */
export async function recordStatements(
  { databases, config }: TestInstallation,
  { tenantId, access }: { tenantId: string; access: Access },
  work: (context: TenantContext) => Promise<unknown>,
): Promise<RecordedStatement[]> {
  const vaults = new Vaults(config.dataMasterKeys)
  let statements: RecordedStatement[] = []
  const pool = recording(databases.directory, (statement) => statements.push(statement))
  const run = (tx: Transaction) =>
    work({
      tenantId,
      tx,
      vault: vaults.of(tx, tenantId),
      now: new Date(),
      here: 'http://127.0.0.1/api',
      callerId: tenantId,
      scopes: [],
      audit: () => {},
      targets: new TargetRules(config),
    })
  // Twice: the first run also reads the keys of the tenant, which a process then remembers.
  await inTransaction(pool, { access, identity: { tenantId } }, run)
  statements = []
  await inTransaction(pool, { access, identity: { tenantId } }, run)
  return statements
}

/** An operation with an input that the pipeline would have let through. */
export function handle(operation: TenantOperation, input: object, context: TenantContext): Promise<unknown> {
  return operation.handle(input as never, context)
}

type Pool = Databases['directory']

/** The pool with one ear at its connections. A connection knows no statement, so each is sent by itself and heard. */
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
