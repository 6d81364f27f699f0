import { setTimeout as sleep } from 'node:timers/promises'
import type { Static } from 'typebox'
import type { SpooledFile } from '../../platform/api/declare/spool.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { newRowId } from '../../platform/base/ids.ts'
import { minorUnitDigits } from '../../platform/base/money.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Vault } from '../../platform/db/vault.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import type { Balance, Movement } from './camt053-fields.ts'
import { fromScale } from './camt053-scope.ts'
import { insertEntries } from './entry.sql.ts'
import { statementMatching } from './match-request.ts'
import { readCamt053, type StatementPart } from './read-camt053.ts'
import { statementErrors } from './statement.errors.ts'
import type { StatementImport } from './statement.schema.ts'
import {
  completeStatement,
  insertStatement,
  listCollectionAccounts,
  listStatementsOfFile,
  type StatementRow,
  tryHoldImport,
} from './statement.sql.ts'
import { sealDetails, viewStatement } from './statement.view.ts'

interface ImportContext {
  readonly tenantId: string
  readonly tx: Transaction
  readonly vault: Vault
  /** Told after each batch how many entries have been read. */
  readonly onProgress?: (entriesRead: number) => void
}

const batchSize = 1_000

/**
 * Reads a bank's file into rows, all of it or nothing: whatever is wrong with it, or ends the process, ends the
 * transaction. What the rows mean for orders and refunds is found out afterwards, by the job that is queued with them.
 */
export async function importFile(context: ImportContext, file: SpooledFile): Promise<Static<typeof StatementImport>> {
  const { tenantId, tx } = context
  await holdImport(tx, tenantId)
  const known = await listStatementsOfFile(tx, tenantId, file.sha256)
  if (known.length > 0) return { ...resultOf(known), is_new: false, entries_new: 0, duplicates: entriesIn(known) }
  const accounts = await listCollectionAccounts(tx, tenantId)
  const done: StatementRow[] = []
  let current: StatementRows | undefined
  let entriesRead = 0
  for await (const parts of readCamt053(file.read()))
    for (const part of parts)
      if (part.kind === 'opened') {
        requireOwnAccount(part, accounts)
        current = new StatementRows(context, part)
        await current.insert(file.sha256)
      } else if (part.kind === 'movement') {
        entriesRead += 1
        if (await current?.add(part.movement)) context.onProgress?.(entriesRead)
      } else if (current) done.push(await current.complete(part))
  context.onProgress?.(entriesRead)
  return resultOf(done)
}

/** The rows of one statement, gathered and written in batches. */
class StatementRows {
  readonly #context: ImportContext
  readonly #opened: Extract<StatementPart, { kind: 'opened' }>
  readonly #statementId = newRowId()
  #batch: Movement[] = []
  #position = 0
  #inserted = 0

  constructor(context: ImportContext, opened: Extract<StatementPart, { kind: 'opened' }>) {
    this.#context = context
    this.#opened = opened
  }

  get #key() {
    return { tenantId: this.#context.tenantId, statementId: this.#statementId }
  }

  insert(fileHash: Buffer): Promise<void> {
    const { account, currency, bankId, sequence } = this.#opened
    return insertStatement(this.#context.tx, { ...this.#key, fileHash, account, currency, bankId, sequence })
  }

  /** True when a batch was written. */
  async add(movement: Movement): Promise<boolean> {
    this.#batch.push(movement)
    if (this.#batch.length < batchSize) return false
    await this.#flush()
    return true
  }

  async complete({ opening, closing }: { opening: Balance; closing: Balance }): Promise<StatementRow> {
    const { tx, tenantId } = this.#context
    await this.#flush()
    const digits = minorUnitDigits(this.#opened.currency) ?? 0
    const row = await completeStatement(tx, this.#key, {
      opening: fromScale(opening.amount, digits),
      closing: fromScale(closing.amount, digits),
      entries: this.#inserted,
      duplicates: this.#position - this.#inserted,
    })
    if (this.#inserted > 0)
      await enqueueJob(tx, statementMatching, { tenant_id: tenantId, statement_id: this.#statementId })
    return row
  }

  async #flush(): Promise<void> {
    if (this.#batch.length === 0) return
    const { tx, vault } = this.#context
    const entries = await Promise.all(
      this.#batch.map(async ({ details, line: _line, ...movement }, place) => {
        const id = newRowId()
        const position = this.#position + place + 1
        return { ...movement, id, position, details: await sealDetails(vault, id, details) }
      }),
    )
    this.#inserted += await insertEntries(tx, this.#key, entries)
    this.#position += this.#batch.length
    this.#batch = []
  }
}

const holdTries = 120
const holdPauseMs = 500

/** Asked again and again rather than waited for: a wait in the database is bounded far below a large file. */
async function holdImport(tx: Transaction, tenantId: string): Promise<void> {
  for (let attempt = 1; !(await tryHoldImport(tx, tenantId)); attempt += 1) {
    if (attempt >= holdTries)
      throw new ApiError(
        statementErrors.statement_import_busy,
        'Another statement is being read. Send this one again later.',
      )
    await sleep(holdPauseMs)
  }
}

function requireOwnAccount(
  { account, currency, line }: Extract<StatementPart, { kind: 'opened' }>,
  accounts: readonly { account: string; currency: string }[],
): void {
  const own = accounts.filter((one) => one.account === account)
  if (own.length === 0)
    throw new ApiError(
      statementErrors.statement_account_unknown,
      `Line ${line}: the statement is of an account that no offering of yours collects money on. ` +
        'Check the file, or give the offering this collection_account first.',
    )
  if (!own.some((one) => one.currency === currency))
    throw new ApiError(
      statementErrors.statement_currency_mismatch,
      `Line ${line}: the statement is in ${currency}, and your offerings collect ${own[0]?.currency} on this account.`,
    )
}

function entriesIn(rows: readonly StatementRow[]): number {
  return rows.reduce((sum, { entries, duplicates }) => sum + entries + duplicates, 0)
}

function resultOf(rows: readonly StatementRow[]): Static<typeof StatementImport> {
  const entriesNew = rows.reduce((sum, { entries }) => sum + entries, 0)
  const entriesRead = entriesIn(rows)
  return {
    is_new: true,
    entries_read: entriesRead,
    entries_new: entriesNew,
    duplicates: entriesRead - entriesNew,
    statements: rows.map(viewStatement),
  }
}
