import { setTimeout as sleep } from 'node:timers/promises'
import type { Static } from 'typebox'
import { requireRoomForFiles, requireSomeRoomForFiles } from '../../access/tenants/count-stored-files.ts'
import type { SpooledFile } from '../../platform/api/declare/spool.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { newRowId } from '../../platform/base/ids.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Vault } from '../../platform/postgres/vault.ts'
import { recordEvents } from '../../records/events/event.sql.ts'
import { insertEntries } from './entry.sql.ts'
import { entryFingerprint } from './entry-fingerprint.ts'
import { isAboutTransfer } from './match-entry.ts'
import { matchStatements } from './match-statements.job.ts'
import { statementErrors } from './statement.errors.ts'
import type { StatementImport } from './statement.schema.ts'
import {
  completeStatement,
  insertStatement,
  type StatementRow,
  selectCollectionAccounts,
  selectStatementsOfFile,
  tryLockStatementImport,
} from './statement.sql.ts'
import { sealDetails, viewStatement } from './statement.view.ts'
import { hasWaitingStatements, removeWaitingEntries } from './statement-booking.sql.ts'
import { checkContinuity } from './statement-continuity.ts'
import { storeStatementFile } from './statement-file.ts'
import { statementFileError } from './statement-file-error.ts'
import { detectStatementFormat } from './statement-formats.ts'
import type { ParsedEntry, StatementEnd, StatementStart } from './statement-parts.ts'

interface ImportContext {
  readonly tenantId: string
  readonly tx: Transaction
  readonly vault: Vault
  /** The entries have no effect until the statement is booked. */
  readonly waitsForBooking: boolean
  /** Called with the number of entries read so far, after each batch. */
  readonly onProgress?: (entriesRead: number) => void
}

const batchSize = 1_000

/**
 * Imports a bank file into rows in the caller's transaction: an invalid file or a killed process leaves no row. The
 * entries take no effect yet: the job that is enqueued here matches them with orders and refunds, unless they wait for
 * booking.
 */
export async function importStatementFile(
  context: ImportContext,
  file: SpooledFile,
): Promise<Static<typeof StatementImport>> {
  const { tenantId, tx } = context
  await lockStatementImport(tx, tenantId)
  const known = await selectStatementsOfFile(tx, tenantId, file.sha256)
  if (known.length > 0) return { ...resultOf(known), is_new: false, entries_new: 0, duplicates: entriesIn(known) }
  await requireSomeRoomForFiles(tx, tenantId)
  const accounts = await selectCollectionAccounts(tx, tenantId)
  const hasWaiting = await hasWaitingStatements(tx, tenantId, file.sha256)
  const format = await detectStatementFormat(file)
  const importedIds: string[] = []
  let current: StatementWriter | undefined
  let entriesRead = 0
  for await (const parts of format.read(file.read()))
    for (const part of parts)
      if (part.kind === 'start') {
        requireCollectionAccount(part, accounts)
        current = new StatementWriter(context, { fileHash: file.sha256, hasWaiting })
        await current.start(part)
      } else if (part.kind === 'entry') {
        entriesRead += 1
        if (await current?.add(part.entry)) context.onProgress?.(entriesRead)
      } else if (current) importedIds.push(await current.end(part))
  const storedBytes = await storeStatementFile(context, file)
  context.onProgress?.(entriesRead)
  // The rows are read again, because a statement can close the gap before another one of the same file.
  const rows = new Map((await selectStatementsOfFile(tx, tenantId, file.sha256)).map((row) => [row.id, row]))
  const imported = importedIds.flatMap((id) => rows.get(id) ?? [])
  if (imported.some(({ entryCount, waitsForBooking }) => entryCount > 0 && !waitsForBooking))
    await enqueueJob(tx, matchStatements, { tenant_id: tenantId })
  await recordEvents(tx, tenantId, imported.map(importedEvent))
  // The entries take about as much space as their file.
  await requireRoomForFiles(tx, tenantId, storedBytes + file.bytes)
  return resultOf(imported)
}

function importedEvent({ id, entryCount, continuity, waitsForBooking }: StatementRow) {
  const data = { statement_id: id, entries: entryCount, continuity, waits_for_booking: waitsForBooking }
  return { type: 'statement.imported' as const, data }
}

/** Writes the rows of one statement in batches. */
class StatementWriter {
  readonly #context: ImportContext
  readonly #file: { readonly fileHash: Buffer; readonly hasWaiting: boolean }
  readonly #statementId = newRowId()
  #account = ''
  #batch: (ParsedEntry & { readonly fingerprint: string })[] = []
  #position = 0
  #lastBookedOn: string | null = null
  #inserted = 0

  constructor(context: ImportContext, file: { fileHash: Buffer; hasWaiting: boolean }) {
    this.#context = context
    this.#file = file
  }

  get #key() {
    return { tenantId: this.#context.tenantId, statementId: this.#statementId }
  }

  start({ account, currency, bankId, sequence }: StatementStart): Promise<void> {
    const { tx, tenantId } = this.#context
    const { fileHash } = this.#file
    this.#account = account
    const sequenceNumber = /^\d{1,15}$/.test(sequence ?? '') ? (sequence ?? '0') : '0'
    const named = { account, currency, bankId, sequence, sequenceNumber }
    return insertStatement(tx, tenantId, { id: this.#statementId, fileHash, ...named })
  }

  /** Returns true if this entry completed a batch. */
  async add(entry: ParsedEntry): Promise<boolean> {
    const fingerprint = entryFingerprint(this.#account, entry)
    this.#batch.push({ ...entry, fingerprint, bankReference: entry.bankReference?.slice(0, 70) ?? null })
    if (this.#lastBookedOn === null || entry.bookedOn > this.#lastBookedOn) this.#lastBookedOn = entry.bookedOn
    if (this.#batch.length < batchSize) return false
    await this.#flush()
    return true
  }

  /** Returns the id of the statement. */
  async end({ openingBalance, closingBalance, closesOn }: StatementEnd): Promise<string> {
    const { tx, tenantId } = this.#context
    await this.#flush()
    const row = await completeStatement(tx, this.#key, {
      openingBalance,
      closingBalance,
      closesOn: closesOn ?? this.#lastBookedOn,
      waitsForBooking: this.#context.waitsForBooking && this.#inserted > 0,
      entryCount: this.#inserted,
      duplicateCount: this.#position - this.#inserted,
    })
    await checkContinuity(tx, tenantId, row)
    return this.#statementId
  }

  async #flush(): Promise<void> {
    if (this.#batch.length === 0) return
    const { tx, tenantId, vault } = this.#context
    const { fileHash, hasWaiting } = this.#file
    const fingerprints = this.#batch.map(({ fingerprint }) => fingerprint)
    if (hasWaiting) await removeWaitingEntries(tx, tenantId, { fileHash, fingerprints })
    const entries = await Promise.all(
      this.#batch.map(async ({ details, ...entry }, index) => {
        const id = newRowId()
        const position = this.#position + index + 1
        const concernsTransfer = isAboutTransfer(entry, details)
        return { ...entry, id, position, concernsTransfer, details: await sealDetails(vault, id, details) }
      }),
    )
    this.#inserted += await insertEntries(tx, this.#key, entries)
    this.#position += this.#batch.length
    this.#batch = []
  }
}

const lockAttemptsMax = 120
const lockPauseMs = 500

/** Polls instead of waiting in the database: the lock timeout is far shorter than the import of a large file. */
async function lockStatementImport(tx: Transaction, tenantId: string): Promise<void> {
  for (let attempt = 1; !(await tryLockStatementImport(tx, tenantId)); attempt += 1) {
    if (attempt >= lockAttemptsMax)
      throw new ApiError(
        statementErrors.statement_import_busy,
        'Another statement is being imported. Send this file again later.',
      )
    await sleep(lockPauseMs)
  }
}

function requireCollectionAccount(
  { account, currency, line }: StatementStart,
  accounts: readonly { account: string; currency: string }[],
): void {
  const own = accounts.filter((one) => one.account === account)
  if (own.length === 0)
    throw statementFileError(
      statementErrors.statement_account_unknown,
      line,
      "the statement's account is not the collection account of any of your offerings.",
    )
  if (!own.some((one) => one.currency === currency))
    throw statementFileError(
      statementErrors.statement_currency_mismatch,
      line,
      `the statement is in ${currency}, but your offerings collect ${own[0]?.currency} on this account.`,
    )
}

function entriesIn(rows: readonly StatementRow[]): number {
  return rows.reduce((sum, { entryCount, duplicateCount }) => sum + entryCount + duplicateCount, 0)
}

function resultOf(rows: readonly StatementRow[]): Static<typeof StatementImport> {
  const entriesNew = rows.reduce((sum, { entryCount }) => sum + entryCount, 0)
  const entriesRead = entriesIn(rows)
  return {
    is_new: true,
    entries_read: entriesRead,
    entries_new: entriesNew,
    duplicates: entriesRead - entriesNew,
    statements: rows.map(viewStatement),
  }
}
