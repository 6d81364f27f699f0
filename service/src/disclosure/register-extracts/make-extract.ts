import { createHash } from 'node:crypto'
import type { AuditEntry } from '../../platform/api/declare/audit.ts'
import { newRowId } from '../../platform/base/ids.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Vault } from '../../platform/postgres/vault.ts'
import { recordEvent } from '../../records/events/event.sql.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'
import { selectPositions } from '../../tokens/register/holder.sql.ts'
import { fileEncodings } from './file-encodings.ts'
import { extractContext, insertRegisterExtract, type RegisterExtractRow } from './register-extract.sql.ts'
import { findRegisterFacts } from './register-facts.sql.ts'
import { type ExtractFormat, renderExtract } from './render-extract.ts'

interface WantedExtract {
  readonly accountId: string
  readonly block: bigint
  /** The requested time, or the time of the block. */
  readonly at: string | null
  readonly format: ExtractFormat
  readonly cause: RegisterExtractRow['cause']
  readonly now: Date
}

/**
 * Makes and stores the extract of one holder, with its event. The caller writes the audit entry. Returns undefined if
 * the change already has an extract.
 */
export async function makeExtract(
  { tx, vault }: { tx: Transaction; vault: Vault },
  key: OfferingKey,
  { accountId, block, at, format, cause, now }: WantedExtract,
): Promise<{ row: RegisterExtractRow; file: Buffer; entry: AuditEntry } | undefined> {
  const [facts, rows] = await tx.batch(
    (tx) => findRegisterFacts(tx, key, block),
    (tx) => selectPositions(tx, key, block, accountId),
  )
  if (!facts) throw new Error('the offering of a register extract does not exist')
  const id = newRowId()
  const scope = { id, accountId, at: at ?? facts.blockTime, createdAt: now, withNames: true }
  const content = await renderExtract(format, rows, facts, scope)
  const file = Buffer.from(content, fileEncodings[format])
  const row: RegisterExtractRow = {
    id,
    accountId,
    offeringId: key.offeringId,
    cause,
    format,
    blockNumber: String(facts.block),
    blockHash: facts.blockHash,
    units: String(rows.reduce((sum, { units }) => sum + BigInt(units), 0n)),
    sha256: createHash('sha256').update(file).digest(),
    byteCount: file.length,
    createdAt: now,
  }
  const sealed = await vault.seal(content, extractContext(id))
  if (!(await insertRegisterExtract(tx, key.tenantId, { ...row, content: sealed }))) return undefined
  const recorded = {
    account_id: accountId,
    offering_id: key.offeringId,
    cause,
    format,
    block: facts.block,
    sha256: row.sha256.toString('hex'),
  }
  await recordEvent(tx, key.tenantId, { type: 'register_extract.created', data: { extract_id: id, ...recorded } })
  const after = {
    ...recorded,
    block_hash: facts.blockHash,
    row_count: rows.length,
    units: row.units,
    total_units: String(facts.totalUnits),
  }
  const entry = { action: 'register_extract.created', subject: { type: 'register_extract', id }, after } as const
  return { row, file, entry }
}
