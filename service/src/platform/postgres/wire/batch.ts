// This folder replaces parts of the driver that its published interface does not offer: several statements under one
// Sync, reads of many requests on one connection (lanes), and rows as bytes. It was run against pg 8.23.1 and
// PostgreSQL 15, and is the only code that uses private members of pg. `DATABASE_WIRE=driver` switches it off.
import pg from 'pg'
import { prepareValue } from 'pg/lib/utils.js'
import { serialize } from 'pg-protocol'
import type { PreparedStatement } from '../sql.ts'
import { type RawColumn, type RawRow, RawRows } from './raw-rows.ts'

/** The result of one statement. */
export interface QueryResult {
  readonly rows: unknown[]
  /** Replaces `rows` for a statement that asks for raw rows. */
  readonly raw?: RawRows<unknown> | undefined
  /** The first word of the command tag: SELECT, COMMIT or, if a failed transaction was committed, ROLLBACK. */
  readonly command: string
}

/** Connections whose statements the driver sends itself, one by one. */
const ofDriver = new WeakSet<object>()

export function leaveToDriver(client: pg.Client): void {
  ofDriver.add(client)
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
  if (ofDriver.has(client)) return Promise.all(statements.map((statement) => sendSingle(client, statement)))
  const { parsedStatements } = (client as unknown as { connection: DriverConnection }).connection
  // The driver learns from the response that a connection has prepared a statement, and uses its name from then on. If
  // any statement is not prepared yet, send each one separately, with its own Sync: a new statement that PostgreSQL
  // skipped because of an earlier failure would otherwise count as prepared without being so.
  if (statements.some(({ name }) => parsedStatements[name] === undefined || !shapes.has(name)))
    return Promise.all(statements.map((statement) => sendSingle(client, statement)))
  return sendPrepared(client, statements)
}

/** Like sendBatch, for statements that the connection has prepared, or will have when it gets to them. */
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
    // The driver does this for its own queries too: the stack then shows the caller instead of the socket.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

/** Prepares a statement without running it. Later messages on the same connection may rely on it. */
export function prepareStatement(client: pg.PoolClient, statement: PreparedStatement): Promise<void> {
  return new Promise((resolve, reject) => {
    const prepared = ((error: Error | null) => (error ? reject(error) : resolve())) as never
    void client.query(new Preparation(statement) as never, prepared)
  })
}

async function sendSingle(client: pg.PoolClient, statement: PreparedStatement): Promise<QueryResult> {
  if (statement.isRaw) return sendSingleRaw(client, statement)
  const { rows, command, fields } = await client.query<Row>(statement)
  shapes.set(statement.name, shapeOf(fields))
  return { rows, command }
}

async function sendSingleRaw(client: pg.PoolClient, statement: PreparedStatement): Promise<QueryResult> {
  const asTexts = { ...statement, rowMode: 'array' as const, types: unparsed }
  const { rows, command, fields } = await client.query<(string | null)[]>(asTexts)
  const shape = shapeOf(fields)
  shapes.set(statement.name, shape)
  const raw = new RawRows(shape.columns)
  for (const row of rows) raw.addTexts(row)
  return { rows: [], raw, command }
}

const unparsed = { getTypeParser: () => (text: string | Buffer) => text } as unknown as pg.CustomTypesConfig

type Row = Record<string, unknown>

/** The columns of a statement's rows. Equal on every connection, because a statement's name is a hash of its text. */
interface Shape {
  readonly columns: readonly RawColumn[]
  readonly empty: Readonly<Row>
}

const shapes = new Map<string, Shape>()

function shapeOf(fields: readonly pg.FieldDef[]): Shape {
  return {
    columns: fields.map(({ name, dataTypeID: type }) => ({ name, type, parse: pg.types.getTypeParser(type) })),
    empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
  }
}

/** Every statement in a batch has been described before. */
function shapeOfStatement(statement: PreparedStatement | undefined): Shape {
  return shapes.get(statement?.name ?? '') as Shape
}

function rowOf({ columns, empty }: Shape, fields: readonly (string | null)[]): Row {
  const row = { ...empty }
  for (let index = 0; index < fields.length; index += 1) {
    const text = fields[index]
    const column = columns[index]
    if (typeof text === 'string' && column) row[column.name] = column.parse(text)
  }
  return row
}

/** Members of the driver that its published types omit. */
interface DriverConnection {
  readonly stream: { readonly writable: boolean; write(bytes: Buffer): boolean }
  readonly parsedStatements: Readonly<Record<string, string>>
}

/** A row whose values are strings. */
interface DriverRow {
  readonly fields: readonly (string | null)[]
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
  #raw: RawRows<unknown> | undefined
  #failure: Error | undefined
  /** Set by the driver, which also replaces it on a query timeout. */
  declare callback: (error: Error | null, results: readonly QueryResult[]) => void

  constructor(statements: readonly PreparedStatement[]) {
    // Text for traces. Concatenated instead of joined: V8 then builds the string only if a trace reads it.
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

  /** A row of a RawClient, or of the driver. */
  handleDataRow(row: RawRow | DriverRow): void {
    if (this.#failure) return
    const statement = this.#statements[this.#results.length]
    try {
      if (!statement?.isRaw) this.#rows.push(rowOf(shapeOfStatement(statement), (row as DriverRow).fields))
      else if ('bytes' in row) this.#rawRowsOf(statement).add(row)
      else this.#rawRowsOf(statement).addTexts(row.fields)
    } catch (error) {
      this.#failure = error as Error
    }
  }

  #rawRowsOf(statement: PreparedStatement): RawRows<unknown> {
    this.#raw ??= new RawRows(shapeOfStatement(statement).columns)
    return this.#raw
  }

  handleCommandComplete({ text }: { text: string }): void {
    const statement = this.#statements[this.#results.length]
    const raw = statement?.isRaw ? this.#rawRowsOf(statement) : undefined
    this.#results.push({ rows: this.#rows, raw, command: text.split(' ', 1)[0] ?? '' })
    this.#rows = []
    this.#raw = undefined
  }

  handleError(error: Error): void {
    this.callback(error, [])
  }

  handleReadyForQuery(): void {
    this.callback(this.#failure ?? null, this.#results)
  }
}
