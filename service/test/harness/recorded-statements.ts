import type { TenantContext, TenantOperation, ValidatedInput } from '../../src/platform/api/declare/operation.ts'
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
 * Runs work in a transaction as the pipeline does, and returns every statement that it sent to PostgreSQL. So pgbench
 * always runs the statements that the API really sends.
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
      selfUrl: 'http://127.0.0.1/api',
      callerId: tenantId,
      scopes: [],
      audit: () => {},
      targets: new TargetRules(config),
      walletProofUrl: config.walletProofUrl,
      contractSignature: undefined,
    })
  // Twice: only the first run reads the tenant's data keys, which the process then caches.
  await inTransaction(pool, { access, identity: { tenantId } }, run)
  statements = []
  await inTransaction(pool, { access, identity: { tenantId } }, run)
  return statements
}

/** Runs an operation with an input that the pipeline would have accepted. */
export function runOperation(
  operation: TenantOperation,
  input: Partial<ValidatedInput>,
  context: TenantContext,
): Promise<unknown> {
  return operation.run({ params: {}, query: {}, body: undefined, file: undefined, ...input }, context)
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
