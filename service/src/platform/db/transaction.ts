import type { Pool, PoolClient } from 'pg'
import { type QueryResult, sendTogether } from './batch.ts'
import { type PreparedStatement, prepared, type Sql } from './sql.ts'
import { DatabaseUnavailable, unavailableIfLost } from './sql-errors.ts'

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
  tokenId?: string
  providerId?: string
}

/**
 * Runs work in a transaction. Private to this folder: the rest of the code goes through inTenantTransaction and
 * inDirectoryTransaction, which know whose rows it is about. What is asked for in one moment travels together, and
 * `begin` costs no round trip of its own.
 */
export function inTransaction<Result>(
  pool: Pool,
  { access, identity, msMax = writeMsMax }: { access: Access; identity: Identity; msMax?: number | undefined },
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return access === 'read' ? work(readerOf(pool, identity)) : write(pool, { identity, msMax }, work)
}

async function write<Result>(
  pool: Pool,
  { identity, msMax }: { identity: Identity; msMax: number },
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await connect(pool)
  const deadline = Promise.withResolvers<never>()
  const timer = setTimeout(() => deadline.reject(new DatabaseUnavailable('The transaction took too long.')), msMax)
  let failure: Error | undefined
  try {
    return await Promise.race([writeOn(client, identity, work), deadline.promise])
  } catch (error) {
    // After the deadline the work may still be asking: its connection is ended, and with it all that it did.
    failure = error instanceof DatabaseUnavailable ? error : await rollback(client)
    throw error
  } finally {
    clearTimeout(timer)
    client.release(failure)
  }
}

// The server bounds each statement; this bounds all of them together, so that no write holds a key for a minute. Only
// what takes a file, and no key, may take longer.
const writeMsMax = 30_000

async function writeOn<Result>(
  client: PoolClient,
  identity: Identity,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  // Sent along with the first statement of the work; work that asks for nothing begins nothing.
  let opening = [begin, identify(identity)]
  const ask = gathering(async (statements) => {
    const sent = [...opening, ...statements]
    opening = []
    const results = await sendTogether(client, sent)
    return results.slice(-statements.length)
  })
  const result = await work(asking(ask))
  if (opening.length === 0) await commitOn(client)
  return result
}

/**
 * A connection lost here leaves it unknown whether the work is done, and so does a wait for the standby that was given
 * up, which PostgreSQL only tells in a warning: the caller is told 503 and asks again.
 */
async function commitOn(client: PoolClient): Promise<void> {
  let isUncertain = false
  const notice = ({ severity }: { severity?: string | undefined }) => {
    isUncertain ||= severity === 'WARNING'
  }
  client.on('notice', notice)
  try {
    const [committed] = await unavailableIfLost(() => sendTogether(client, [commit]))
    if (committed?.command !== 'COMMIT') throw new Error('the transaction was aborted, and nobody noticed')
    if (isUncertain) throw new DatabaseUnavailable('The commit may not have reached the standby.')
  } finally {
    client.off('notice', notice)
  }
}

/** A database that does not answer must not gather requests until there is no room for those of the others. */
async function connect(pool: Pool): Promise<PoolClient> {
  if (pool.waitingCount > waitingMax) throw new DatabaseUnavailable('Too many requests wait for this database.')
  return unavailableIfLost(() => pool.connect())
}

const waitingMax = 100

/** A connection that cannot even roll back must not go back into the pool. */
async function rollback(client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback')
    return undefined
  } catch (error) {
    return error as Error
  }
}

/**
 * Reads are answered in one round trip: begin, identity, what is asked for in the same moment, and commit are sent as
 * one. What is asked together sees one snapshot; a later question is a transaction of its own.
 */
function readerOf(pool: Pool, identity: Identity): Transaction {
  return asking(
    gathering(async (statements) => {
      const client = await connect(pool)
      try {
        const results = await sendTogether(client, [beginReading, identify(identity), ...statements, commit])
        client.release()
        return results.slice(2, -1)
      } catch (error) {
        // It may be in the middle of anything, and a read that fails is rare enough for a new connection.
        client.release(error as Error)
        throw error
      }
    }),
  )
}

const begin: PreparedStatement = { name: 'begin', text: 'begin', values: [] }
const beginReading: PreparedStatement = {
  name: 'begin reading',
  text: 'begin isolation level repeatable read read only',
  values: [],
}
const commit: PreparedStatement = { name: 'commit', text: 'commit', values: [] }

function identify({ tenantId = '', clientId = '', tokenId = '', providerId = '' }: Identity): PreparedStatement {
  return {
    name: 'identify',
    text: `select set_config('app.tenant_id', $1, true), set_config('app.client_id', $2, true),
      set_config('app.token_id', $3, true), set_config('app.provider_id', $4, true)`,
    values: [tenantId, clientId, tokenId, providerId],
  }
}

/** Waits until everything that is asked for in one moment has been asked for, and sends it at once. */
function gathering(
  send: (statements: PreparedStatement[]) => Promise<readonly QueryResult[]>,
): (statement: Sql) => Promise<QueryResult> {
  let gathered: PreparedStatement[] = []
  let sent: Promise<readonly QueryResult[]> | undefined
  return async (statement) => {
    const place = gathered.push(prepared(statement)) - 1
    sent ??= Promise.resolve().then(() => {
      const statements = gathered
      gathered = []
      sent = undefined
      return send(statements)
    })
    const results = await sent
    return results[place] as QueryResult
  }
}

function asking(ask: (statement: Sql) => Promise<QueryResult>): Transaction {
  const rows = async <Row>(statement: Sql): Promise<Row[]> => {
    const result = await unavailableIfLost(() => ask(statement))
    return result.rows as Row[]
  }
  const row = async <Row>(statement: Sql): Promise<Row | undefined> => {
    const [first, ...others] = await rows<Row>(statement)
    if (others.length > 0) throw new Error('a statement that asks for one row answered with several')
    return first
  }
  return { rows, row }
}
