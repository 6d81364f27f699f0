import pg from 'pg'
import type { PreparedStatement } from './sql.ts'

/**
 * Runs statements one after the other in one round trip, and under one Sync where it can: PostgreSQL then answers with
 * one packet and not with one for each statement, and the driver keeps one account and not many. When one fails, those
 * behind it are not run and all of them fail with its error.
 */
export async function sendTogether(
  client: pg.PoolClient,
  statements: readonly PreparedStatement[],
): Promise<pg.QueryResult[]> {
  const { parsedStatements } = (client as unknown as { connection: DriverConnection }).connection
  // The driver learns by the answer that a connection knows a statement, and asks by its name from then on. Where one
  // is new, each goes under a Sync of its own as the driver sends them: a statement that was skipped because the one
  // before it failed would otherwise count as known and never be.
  if (statements.some(({ name }) => parsedStatements[name] === undefined))
    return Promise.all(statements.map((statement) => client.query(statement)))
  try {
    return await new Promise((resolve, reject) => {
      const done = (error: Error | null, results: pg.QueryResult | pg.QueryResult[]) =>
        error ? reject(error) : resolve(Array.isArray(results) ? results : [results])
      void client.query(new Batch(statements) as never, done as never)
    })
  } catch (error) {
    // As the driver does for its own queries: the stack then leads to who asked, not to the socket.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

/** What the driver has and its published types leave out. */
interface DriverConnection extends pg.Connection {
  readonly parsedStatements: Readonly<Record<string, string>>
}

interface DriverQuery {
  name: string
  text: string
  values: unknown[]
  submit(connection: DriverConnection): null
  /** Sends Bind and Describe, and then calls _getRows for the rest. */
  prepare(connection: DriverConnection): void
  _getRows(connection: DriverConnection): void
}

const DriverQuery = pg.Query as unknown as new (text: string) => DriverQuery

/** One query for the driver that binds and executes several; the driver collects their results in a list anyway. */
class Batch extends DriverQuery {
  readonly #statements: readonly PreparedStatement[]

  constructor(statements: readonly PreparedStatement[]) {
    super(statements.map(({ text }) => text).join('; '))
    this.#statements = statements
  }

  override submit(connection: DriverConnection): null {
    connection.stream.cork()
    for (const { name, text, values } of this.#statements) {
      Object.assign(this, { name, text, values })
      this.prepare(connection)
    }
    connection.sync()
    connection.stream.uncork()
    return null
  }

  override _getRows(connection: DriverConnection): void {
    connection.execute(null, true)
  }
}
