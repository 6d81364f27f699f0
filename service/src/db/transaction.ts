import type { Pool, PoolClient } from 'pg'
import { prepared, type Sql } from './sql.ts'
import { unavailableIfLost } from './sql-errors.ts'

/** What work inside a transaction may do with it: ask. Begin, commit and the connection stay here. */
export interface Transaction {
  rows<Row>(statement: Sql): Promise<Row[]>
  /** The one row, or undefined. More than one is a bug in the statement. */
  row<Row>(statement: Sql): Promise<Row | undefined>
}

export type Access = 'read' | 'write'

/** Transaction-local settings that row-level security reads. A session setting would leak through a pooler. */
export interface Identity {
  tenantId?: string
  clientId?: string
}

/**
 * Runs work in one transaction. Private to this folder: the rest of the code goes through inTenantTransaction and
 * inDirectoryTransaction, which know whose rows it is about.
 */
export async function inTransaction<Result>(
  pool: Pool,
  options: { access: Access; identity: Identity },
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await unavailableIfLost(() => pool.connect())
  let failure: Error | undefined
  try {
    await unavailableIfLost(() => begin(client, options))
    const result = await work(transactionOn(client))
    // A connection lost here leaves it unknown whether the work is done: the caller is told 503 and asks again.
    await unavailableIfLost(() => client.query('commit'))
    return result
  } catch (error) {
    failure = await rollback(client)
    throw error
  } finally {
    client.release(failure)
  }
}

async function begin(client: PoolClient, options: { access: Access; identity: Identity }): Promise<void> {
  await client.query(options.access === 'read' ? 'begin read only' : 'begin')
  await client.query({
    name: 'identify',
    text: "select set_config('app.tenant_id', $1, true), set_config('app.client_id', $2, true)",
    values: [options.identity.tenantId ?? '', options.identity.clientId ?? ''],
  })
}

/** A connection that cannot even roll back must not go back into the pool. */
async function rollback(client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback')
    return undefined
  } catch (error) {
    return error as Error
  }
}

function transactionOn(client: PoolClient): Transaction {
  const rows = async <Row>(statement: Sql): Promise<Row[]> => {
    const result = await unavailableIfLost(() => client.query(prepared(statement)))
    return result.rows as Row[]
  }
  const row = async <Row>(statement: Sql): Promise<Row | undefined> => {
    const [first, ...others] = await rows<Row>(statement)
    if (others.length > 0) throw new Error('a statement that asks for one row answered with several')
    return first
  }
  return { rows, row }
}
