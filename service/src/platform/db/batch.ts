import pg from 'pg'
import { prepareValue } from 'pg/lib/utils.js'
import { serialize } from 'pg-protocol'
import type { PreparedStatement } from './sql.ts'

/** What a statement answered. */
export interface QueryResult {
  readonly rows: unknown[]
  /** The first word of what PostgreSQL did: SELECT, COMMIT or, where it was asked to commit a failure, ROLLBACK. */
  readonly command: string
}

/**
 * Runs statements one after the other in one round trip, and under one Sync where it can: PostgreSQL then answers with
 * one packet and not with one for each statement, and neither side describes again what the rows look like. When one
 * fails, those behind it are not run and all of them fail with its error.
 */
export async function sendTogether(
  client: pg.PoolClient,
  statements: readonly PreparedStatement[],
): Promise<readonly QueryResult[]> {
  const { parsedStatements } = (client as unknown as { connection: DriverConnection }).connection
  // The driver learns by the answer that a connection knows a statement, and asks by its name from then on. Where one
  // is new, each goes under a Sync of its own as the driver sends them: a statement that was skipped because the one
  // before it failed would otherwise count as known and never be.
  if (statements.some(({ name }) => parsedStatements[name] === undefined || !shapes.has(name)))
    return Promise.all(statements.map((statement) => sendAlone(client, statement)))
  try {
    return await new Promise((resolve, reject) => {
      void client.query(
        new Batch(statements) as never,
        ((error: Error | null, answers: QueryResult[]) => (error ? reject(error) : resolve(answers))) as never,
      )
    })
  } catch (error) {
    // As the driver does for its own queries: the stack then leads to who asked, not to the socket.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

async function sendAlone(client: pg.PoolClient, statement: PreparedStatement): Promise<QueryResult> {
  const { rows, command, fields } = await client.query<Row>(statement)
  shapes.set(statement.name, shapeOf(fields))
  return { rows, command }
}

type Row = Record<string, unknown>

/** What the rows of a statement look like: the same on every connection, since the name is a hash of the text. */
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
  for (let place = 0; place < fields.length; place += 1) {
    const text = fields[place]
    if (typeof text === 'string') row[names[place] as string] = parsers[place]?.(text)
  }
  return row
}

/** What the driver has and its published types leave out. */
interface DriverConnection {
  readonly stream: { readonly writable: boolean; write(bytes: Buffer): boolean }
  readonly parsedStatements: Readonly<Record<string, string>>
}

const execute = serialize.execute()
const sync = serialize.sync()

// Extended for its name alone: in pipeline mode the driver takes nothing else. All that the driver calls is below.
const DriverQuery = pg.Query as unknown as new (text: string) => object

/** One query for the driver that binds and executes several. */
class Batch extends DriverQuery {
  readonly #statements: readonly PreparedStatement[]
  readonly #answers: QueryResult[] = []
  #rows: Row[] = []
  #failure: Error | undefined
  /** Set by the driver, who also replaces it when the answer takes too long. */
  declare callback: (error: Error | null, answers: readonly QueryResult[]) => void

  constructor(statements: readonly PreparedStatement[]) {
    // For traces. Not joined, since that would write it out although hardly anybody reads it.
    super(statements.reduce((texts, { text }) => `${texts}; ${text}`, ''))
    this.#statements = statements
  }

  submit({ stream }: DriverConnection): Error | null {
    try {
      const messages = this.#statements.flatMap(({ name, values }) => [
        serialize.bind({ statement: name, values, valueMapper: prepareValue }),
        execute,
      ])
      // One that is closed already will say so by itself, to all that wait.
      if (stream.writable) stream.write(Buffer.concat([...messages, sync]))
      return null
    } catch (error) {
      return error as Error
    }
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#failure) return
    const shape = shapes.get(this.#statements[this.#answers.length]?.name ?? '')
    try {
      this.#rows.push(rowOf(shape as Shape, fields))
    } catch (error) {
      this.#failure = error as Error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#answers.push({ rows: this.#rows, command: text.split(' ', 1)[0] ?? '' })
    this.#rows = []
  }

  handleError(error: Error): void {
    this.callback(error, [])
  }

  handleReadyForQuery(): void {
    this.callback(this.#failure ?? null, this.#answers)
  }
}
