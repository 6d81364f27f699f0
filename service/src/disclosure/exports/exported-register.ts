import type { Transaction } from '../../platform/postgres/transaction.ts'
import { appendAudit } from '../../records/audit/append-audit.sql.ts'
import { findSupplyAt, type HolderRow, selectHoldersAfter, selectPositions } from '../../tokens/register/holder.sql.ts'
import { extractPdf } from '../register-extracts/extract-pdf.ts'
import {
  csvColumns,
  csvPersonalColumns,
  csvRows,
  csvStart,
  jsonEnd,
  jsonRows,
  jsonStart,
} from '../register-extracts/extract-text.ts'
import { findRegisterFacts } from '../register-extracts/register-facts.sql.ts'
import type { ExtractScope, RegisterFacts } from '../register-extracts/register-facts.ts'
import type { ExportedPart, ExportSource, FinishedFile, PartRequest } from './export-source.ts'

/** A PDF is written as a whole, so its rows are limited. Nobody reads thousands of pages anyway. */
export const pdfRowsMax = 10_000

/**
 * An extract of the register after a block, which is chosen when the export is requested. Positions are those of that
 * block; names, identifiers and restrictions are as they are when they are written.
 */
export const exportedRegister: ExportSource = {
  duty: 'read',
  columns: csvColumns,
  personalColumns: csvPersonalColumns,
  filters: ['offering_id', 'block', 'at', 'account_id'],
  nextRows: async () => {
    throw new Error('a register extract is written in parts')
  },
  parts: { formats: ['csv', 'json', 'pdf'], nextPart, finish },
}

async function nextPart(request: PartRequest, tx: Transaction): Promise<ExportedPart> {
  const facts = await factsOf(request, tx)
  const scope = scopeOf(request)
  const { rows, isLast } = request.format === 'pdf' ? await allRows(request, tx) : await nextHolders(request, tx)
  const units = rows.reduce((sum, row) => sum + BigInt(row.units), 0n)
  const cursor = rows.at(-1)?.address ?? request.after
  return { text: await textOf(request, { rows, facts, scope, isLast }), cursor, rows: rows.length, units, isLast }
}

async function textOf(
  { format, after, rowCount }: PartRequest,
  { rows, facts, scope, isLast }: { rows: HolderRow[]; facts: RegisterFacts; scope: ExtractScope; isLast: boolean },
): Promise<string> {
  const isFirst = after === null
  switch (format) {
    case 'pdf':
      return extractPdf(rows, facts, scope)
    case 'csv':
      return (isFirst ? csvStart(scope) : '') + csvRows(rows, facts, scope)
    case 'json':
      return (
        (isFirst ? jsonStart(facts, scope) : '') +
        jsonRows(rows, { facts, scope, isFirst: rowCount === 0 }) +
        (isLast ? jsonEnd(rowCount + rows.length) : '')
      )
  }
}

interface Batch {
  readonly rows: HolderRow[]
  readonly isLast: boolean
}

async function nextHolders({ tenantId, filter, after, limit }: PartRequest, tx: Transaction): Promise<Batch> {
  const { offering_id: offeringId = '', block, account_id: accountId } = filter
  // No block of the chain has been read, so there are no holders yet.
  if (block === undefined) return { rows: [], isLast: true }
  const key = { tenantId, offeringId }
  if (accountId !== undefined) return { rows: await selectPositions(tx, key, BigInt(block), accountId), isLast: true }
  const rows = await selectHoldersAfter(tx, key, BigInt(block), { after: after ?? '', limit })
  return { rows, isLast: rows.length < limit }
}

async function allRows(request: PartRequest, tx: Transaction): Promise<Batch> {
  const rows: HolderRow[] = []
  let batch: Batch
  do {
    batch = await nextHolders({ ...request, after: rows.at(-1)?.address ?? null }, tx)
    rows.push(...batch.rows)
    if (rows.length > pdfRowsMax) throw new Error('a register extract has more rows than were counted')
  } while (!batch.isLast)
  return { rows, isLast: true }
}

/** Compares the rows with the supply, and puts the hash of the file into the audit log. */
async function finish(file: FinishedFile, tx: Transaction): Promise<void> {
  const { tenantId, exportId, filter, format, rowCount, unitSum, sha256, withPersonalData } = file
  const facts = await factsOf(file, tx)
  const supply = await findSupplyAt(tx, { tenantId, offeringId: facts.offering.id }, BigInt(filter.block ?? 0))
  if (filter.account_id === undefined && supply !== unitSum)
    throw new Error('the units of a register extract are not the supply')
  await appendAudit(
    tx,
    { type: 'system', id: null, requestId: null },
    {
      action: 'register_extract.created',
      subject: { type: 'export', id: exportId },
      after: {
        offering_id: facts.offering.id,
        account_id: filter.account_id ?? null,
        format,
        with_personal_data: withPersonalData,
        block: facts.block,
        block_hash: facts.blockHash,
        row_count: rowCount,
        units: String(unitSum),
        total_units: String(supply),
        sha256,
      },
    },
  )
}

async function factsOf({ tenantId, filter }: PartRequest, tx: Transaction): Promise<RegisterFacts> {
  const key = { tenantId, offeringId: filter.offering_id ?? '' }
  const facts = await findRegisterFacts(tx, key, BigInt(filter.block ?? 0))
  if (!facts) throw new Error('the offering of a register extract does not exist')
  return facts
}

function scopeOf({ exportId, filter, createdAt, withPersonalData }: PartRequest): ExtractScope {
  return {
    id: exportId,
    accountId: filter.account_id ?? null,
    at: filter.at ?? null,
    createdAt,
    withNames: withPersonalData,
  }
}
