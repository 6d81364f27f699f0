import pg from 'pg'
import { prepareValue } from 'pg/lib/utils.js'
import { serialize } from 'pg-protocol'
import type { PreparedStatement } from './sql.ts'

/** The result of one statement. */
export interface QueryResult {
  readonly rows: unknown[]
  /** The first word of the command tag: SELECT, COMMIT or, if a failed transaction was committed, ROLLBACK. */
  readonly command: string
}

/**
 * Runs statements in order in one round trip, and under a single Sync if possible: PostgreSQL then responds with one
 * packet instead of one per statement, and does not describe the rows again. If a statement fails, PostgreSQL skips the
 * ones after it, and the whole batch rejects with that error.
 */
export async function sendBatch(
  client: pg.PoolClient,
  statements: readonly PreparedStatement[],
): Promise<readonly QueryResult[]> {
  const { parsedStatements } = (client as unknown as { connection: DriverConnection }).connection
  // The driver learns from the response that a connection has prepared a statement, and uses its name from then on. If
  // any statement is not prepared yet, send each one separately, with its own Sync: a new statement that PostgreSQL
  // skipped because of an earlier failure would otherwise count as prepared without being so.
  if (statements.some(({ name }) => parsedStatements[name] === undefined || !shapes.has(name)))
    return Promise.all(statements.map((statement) => sendSingle(client, statement)))
  return sendPrepared(client, statements)
}

/** The same for statements that the connection has prepared, or will have when it gets to them. */
export async function sendPrepared(
  client: pg.PoolClient,
  statements: readonly PreparedStatement[],
): Promise<readonly QueryResult[]> {
  try {
    return await new Promise((resolve, reject) => {
      void client.query(
        new Batch(statements) as never,
        ((error: Error | null, results: QueryResult[]) => (error ? reject(error) : resolve(results))) as never,
      )
    })
  } catch (error) {
    // As the driver does for its own queries: the stack then shows the caller instead of the socket.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

/** Prepares a statement without running it. What is sent after it on the same connection may rely on it. */
export function prepareStatement(client: pg.PoolClient, statement: PreparedStatement): Promise<void> {
  return new Promise((resolve, reject) => {
    const prepared = ((error: Error | null) => (error ? reject(error) : resolve())) as never
    void client.query(new Preparation(statement) as never, prepared)
  })
}

async function sendSingle(client: pg.PoolClient, statement: PreparedStatement): Promise<QueryResult> {
  const { rows, command, fields } = await client.query<Row>(statement)
  shapes.set(statement.name, shapeOf(fields))
  return { rows, command }
}

type Row = Record<string, unknown>

/** The columns of a statement's rows. Equal on every connection, because a statement's name is a hash of its text. */
interface Shape {
  readonly names: readonly string[]
  readonly parsers: readonly ((text: string) => unknown)[]
  readonly empty: Readonly<Row>
}

const shapes = new Map<string, Shape>()

function shapeOf(fields: readonly pg.FieldDef[]): Shape {
  const names = fields.map(({ name }) => name)
  return {
    names,
    parsers: fields.map(({ dataTypeID }) => pg.types.getTypeParser(dataTypeID)),
    empty: Object.fromEntries(names.map((name) => [name, null])),
  }
}

function rowOf({ names, parsers, empty }: Shape, fields: readonly (string | null)[]): Row {
  const row = { ...empty }
  for (let index = 0; index < fields.length; index += 1) {
    const text = fields[index]
    if (typeof text === 'string') row[names[index] as string] = parsers[index]?.(text)
  }
  return row
}

/** Members of the driver that its published types omit. */
interface DriverConnection {
  readonly stream: { readonly writable: boolean; write(bytes: Buffer): boolean }
  readonly parsedStatements: Readonly<Record<string, string>>
}

const execute = serialize.execute()
const sync = serialize.sync()

// In pipeline mode the driver accepts only instances of its Query class. Batch overrides every method that it calls.
const DriverQuery = pg.Query as unknown as new (text: string) => object

/** A query for the driver that parses and describes one statement. The driver notes its name when it is parsed. */
class Preparation extends DriverQuery {
  readonly name: string
  declare readonly text: string
  declare callback: (error: Error | null) => void
  #fields: readonly pg.FieldDef[] = []

  constructor({ name, text }: PreparedStatement) {
    super(text)
    this.name = name
  }

  submit({ stream }: DriverConnection): Error | null {
    const { name, text } = this
    const messages = [serialize.parse({ name, text, types: [] }), serialize.describe({ type: 'S', name }), sync]
    if (stream.writable) stream.write(Buffer.concat(messages))
    return null
  }

  handleRowDescription({ fields }: { fields: readonly pg.FieldDef[] }): void {
    this.#fields = fields
  }

  handleError(error: Error): void {
    this.callback(error)
  }

  handleReadyForQuery(): void {
    // A statement without rows is not described.
    shapes.set(this.name, shapeOf(this.#fields))
    this.callback(null)
  }
}

/** A single query for the driver that binds and executes several statements. */
class Batch extends DriverQuery {
  readonly #statements: readonly PreparedStatement[]
  readonly #results: QueryResult[] = []
  #rows: Row[] = []
  #failure: Error | undefined
  /** Set by the driver, which also replaces it on a query timeout. */
  declare callback: (error: Error | null, results: readonly QueryResult[]) => void

  constructor(statements: readonly PreparedStatement[]) {
    // For traces. Concatenated instead of joined: V8 then builds the string only if a trace reads it.
    super(statements.reduce((texts, { text }) => `${texts}; ${text}`, ''))
    this.#statements = statements
  }

  submit({ stream }: DriverConnection): Error | null {
    try {
      const messages = this.#statements.flatMap(({ name, values }) => [
        serialize.bind({ statement: name, values, valueMapper: prepareValue }),
        execute,
      ])
      // A closed connection emits its own error, which rejects all pending queries.
      if (stream.writable) stream.write(Buffer.concat([...messages, sync]))
      return null
    } catch (error) {
      return error as Error
    }
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#failure) return
    const shape = shapes.get(this.#statements[this.#results.length]?.name ?? '')
    try {
      this.#rows.push(rowOf(shape as Shape, fields))
    } catch (error) {
      this.#failure = error as Error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#results.push({ rows: this.#rows, command: text.split(' ', 1)[0] ?? '' })
    this.#rows = []
  }

  handleError(error: Error): void {
    this.callback(error, [])
  }

  handleReadyForQuery(): void {
    this.callback(this.#failure ?? null, this.#results)
  }
}
