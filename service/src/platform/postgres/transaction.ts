import { type PreparedStatement, prepared, type Sql } from './sql.ts'
import { translateConnectionErrors } from './sql-errors.ts'
import type { QueryResult } from './wire/batch.ts'
import type { RawRows } from './wire/raw-rows.ts'

/**
 * Runs statements, all that code in a transaction can do. Begin, commit and the connection are private to this folder.
 */
export interface Transaction {
  rows<Row>(statement: Sql): Promise<Row[]>
  /** Runs a statement that returns at most one row. More than one is a bug in the statement. */
  row<Row>(statement: Sql): Promise<Row | undefined>
  /** Returns rows as PostgreSQL sends them, for lists that `jsonRowsOf` writes. */
  rawRows<Row>(statement: Sql): Promise<RawRows<Row>>
  /**
   * Adds a write whose result is not needed. It travels with the statements that follow it, at the latest with the
   * commit; if it fails, so do they. `errorOf` can translate its failure for the caller.
   */
  later(statement: Sql, errorOf?: ErrorOf): void
  /**
   * Sends the first statements of all parts in one round trip and in this order, which decides what a lock protects. A
   * part that first waits for something else would send its statement behind the others, so it fails.
   */
  batch<const Parts extends readonly Part[]>(...parts: Parts): Promise<ResultsOf<Parts>>
  /** Runs a batch with a part for each item. */
  each<Item, Result>(
    items: readonly Item[],
    part: (tx: Transaction, item: Item, index: number) => Result,
  ): Promise<Awaited<Result>[]>
}

type Part = (tx: Transaction) => unknown
type ResultsOf<Parts extends readonly Part[]> = { -readonly [Index in keyof Parts]: Awaited<ReturnType<Parts[Index]>> }

/** Translates an error of PostgreSQL for the caller, or returns undefined for all others. */
type ErrorOf = (error: SqlError) => Error | undefined

type SqlError = Error & { readonly code?: string; readonly constraint?: string; readonly column?: string }

export type Access = 'read' | 'write'

/** Sends all statements issued in the same microtask in one round trip, in their order. */
export class Batches {
  readonly #send: (statements: PreparedStatement[]) => Promise<readonly QueryResult[]>
  #batch: PreparedStatement[] = []
  #errorsOf: ErrorOf[] = []
  #sent: Promise<readonly QueryResult[]> | undefined

  constructor(send: (statements: PreparedStatement[]) => Promise<readonly QueryResult[]>) {
    this.#send = send
  }

  get isPending(): boolean {
    return this.#batch.length > 0
  }

  async run(statement: PreparedStatement): Promise<QueryResult> {
    const index = this.#batch.push(statement) - 1
    this.#sent ??= Promise.resolve().then(() => this.#sendBatch())
    const results = await this.#sent
    return results[index] as QueryResult
  }

  /** Adds a statement to the batch that is sent next. */
  later(statement: PreparedStatement, errorOf: ErrorOf | undefined): void {
    this.#batch.push(statement)
    if (errorOf) this.#errorsOf.push(errorOf)
  }

  async #sendBatch(): Promise<readonly QueryResult[]> {
    const [batch, errorsOf] = [this.#batch, this.#errorsOf]
    this.#batch = []
    this.#errorsOf = []
    this.#sent = undefined
    try {
      return await this.#send(batch)
    } catch (error) {
      for (const errorOf of errorsOf) {
        const meant = errorOf(error as SqlError)
        if (meant) throw meant
      }
      throw error
    }
  }
}

export function transactionWith(
  batches: Batches,
  later: Transaction['later'] = (statement, errorOf) => batches.later(prepared(statement), errorOf),
): Transaction {
  const rows = async <Row>(statement: Sql): Promise<Row[]> => {
    const result = await translateConnectionErrors(() => batches.run(prepared(statement)))
    return result.rows as Row[]
  }
  const row = async <Row>(statement: Sql): Promise<Row | undefined> => {
    const [first, ...others] = await rows<Row>(statement)
    if (others.length > 0) throw new Error('a statement that must return at most one row returned several')
    return first
  }
  const rawRows = async <Row>(statement: Sql): Promise<RawRows<Row>> => {
    const wanted: PreparedStatement = { ...prepared(statement), isRaw: true }
    const result = await translateConnectionErrors(() => batches.run(wanted))
    return result.raw as RawRows<Row>
  }
  const tx: Transaction = {
    rows,
    row,
    rawRows,
    later,
    batch: (...parts) => runBatch(tx, parts),
    each: (items, part) => runEach(tx, items, part),
  }
  return tx
}

/** Rejects `later`: a read has no commit for the statement to travel with. */
export function readerWith(batches: Batches): Transaction {
  return transactionWith(batches, () => {
    throw new Error('a read runs no statement later')
  })
}

function runBatch<Parts extends readonly Part[]>(tx: Transaction, parts: Parts): Promise<ResultsOf<Parts>> {
  const batch = { isSent: false }
  const results = parts.map((part) => part(new TransactionOfPart(tx, batch)))
  batch.isSent = true
  return Promise.all(results) as Promise<ResultsOf<Parts>>
}

function runEach<Item, Result>(
  tx: Transaction,
  items: readonly Item[],
  part: (tx: Transaction, item: Item, index: number) => Result,
): Promise<Awaited<Result>[]> {
  const parts = items.map((item, index) => (own: Transaction) => part(own, item, index))
  return runBatch(tx, parts) as Promise<Awaited<Result>[]>
}

/** The transaction from the view of one part of a batch. */
class TransactionOfPart implements Transaction {
  readonly #tx: Transaction
  readonly #batch: { readonly isSent: boolean }
  #hasBegun = false

  constructor(tx: Transaction, batch: { readonly isSent: boolean }) {
    this.#tx = tx
    this.#batch = batch
  }

  rows<Row>(statement: Sql): Promise<Row[]> {
    return this.#begun().rows<Row>(statement)
  }

  row<Row>(statement: Sql): Promise<Row | undefined> {
    return this.#begun().row<Row>(statement)
  }

  rawRows<Row>(statement: Sql): Promise<RawRows<Row>> {
    return this.#begun().rawRows<Row>(statement)
  }

  later(statement: Sql, errorOf?: ErrorOf): void {
    this.#begun().later(statement, errorOf)
  }

  /** Parts of a part begin together with it. */
  batch<const Parts extends readonly Part[]>(...parts: Parts): Promise<ResultsOf<Parts>> {
    return runBatch(this, parts)
  }

  each<Item, Result>(
    items: readonly Item[],
    part: (tx: Transaction, item: Item, index: number) => Result,
  ): Promise<Awaited<Result>[]> {
    return runEach(this, items, part)
  }

  #begun(): Transaction {
    if (!this.#hasBegun && this.#batch.isSent)
      throw new Error('a part of a batch has waited before its first statement, which would be behind the others')
    this.#hasBegun = true
    return this.#tx
  }
}
