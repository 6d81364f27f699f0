import type { Pool, PoolClient, QueryResult } from 'pg'
import { prepared, type Sql } from './sql.ts'
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
}

/**
 * Runs work in a transaction. Private to this folder: the rest of the code goes through inTenantTransaction and
 * inDirectoryTransaction, which know whose rows it is about. Connections are in pipeline mode, so statements that are
 * asked for together travel together, and `begin` costs no round trip of its own.
 */
export function inTransaction<Result>(
  pool: Pool,
  { access, identity }: { access: Access; identity: Identity },
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return access === 'read' ? work(readerOf(pool, identity)) : write(pool, identity, work)
}

async function write<Result>(
  pool: Pool,
  identity: Identity,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await connect(pool)
  const deadline = Promise.withResolvers<never>()
  const timer = setTimeout(() => deadline.reject(new DatabaseUnavailable('The transaction took too long.')), writeMsMax)
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

// The server bounds each statement; this bounds all of them together, so that no write holds a key for a minute.
const writeMsMax = 30_000

async function writeOn<Result>(
  client: PoolClient,
  identity: Identity,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const begun = Promise.all([client.query('begin'), client.query(identify(identity))])
  // Not awaited yet, so that the first statement of the work is sent along; if it fails, so does all that follows it.
  begun.catch(() => {})
  const result = await work(asking((statement) => client.query(prepared(statement))))
  await unavailableIfLost(() => begun)
  await commit(client)
  return result
}

/**
 * A connection lost here leaves it unknown whether the work is done, and so does a wait for the standby that was given
 * up, which PostgreSQL only tells in a warning: the caller is told 503 and asks again.
 */
async function commit(client: PoolClient): Promise<void> {
  let isUncertain = false
  const notice = ({ severity }: { severity?: string | undefined }) => {
    isUncertain ||= severity === 'WARNING'
  }
  client.on('notice', notice)
  try {
    const { command } = await unavailableIfLost(() => client.query('commit'))
    if (command !== 'COMMIT') throw new Error('the transaction was aborted, and nobody noticed')
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

interface Question {
  statement: Sql
  answer: PromiseWithResolvers<QueryResult>
}

/**
 * Reads are answered in one round trip: begin, identity, what is asked for in the same moment, and commit are sent as
 * one. What is asked together sees one snapshot; a later question is a transaction of its own.
 */
function readerOf(pool: Pool, identity: Identity): Transaction {
  let waiting: Question[] = []
  const ask = async (): Promise<void> => {
    let questions: Question[] = []
    try {
      const client = await connect(pool)
      ;[questions, waiting] = [waiting, []]
      const begin = client.query('begin isolation level repeatable read read only')
      const sent = [
        begin,
        client.query(identify(identity)),
        ...questions.map(({ statement }) => client.query(prepared(statement))),
        client.query('commit'),
      ]
      const [begun, identified, ...answers] = await Promise.allSettled(sent)
      const lost = [begun, identified].find((outcome) => outcome?.status === 'rejected')
      client.release(lost?.reason as Error | undefined)
      if (lost) throw lost.reason
      for (const [index, { answer }] of questions.entries()) {
        const outcome = answers[index]
        if (outcome?.status === 'fulfilled') answer.resolve(outcome.value)
        else answer.reject(outcome?.reason)
      }
    } catch (error) {
      for (const { answer } of [...questions, ...waiting]) answer.reject(error)
      waiting = []
    }
  }
  return asking((statement) => {
    const question = { statement, answer: Promise.withResolvers<QueryResult>() }
    waiting.push(question)
    if (waiting.length === 1) void ask()
    return question.answer.promise
  })
}

function identify({ tenantId = '', clientId = '' }: Identity): { name: string; text: string; values: string[] } {
  return {
    name: 'identify',
    text: "select set_config('app.tenant_id', $1, true), set_config('app.client_id', $2, true)",
    values: [tenantId, clientId],
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
