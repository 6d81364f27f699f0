import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { ExportKey } from './export.sql.ts'

export interface ChunkRow {
  position: number
  isLast: boolean
  content: Buffer
}

/**
 * Encryption context of a chunk. A chunk opens only for its export, at its position, and as the last one only if it was
 * written as such: chunks that were swapped, taken from another export or cut off at the end do not open.
 */
export function chunkContext(exportId: string, { position, isLast }: Omit<ChunkRow, 'content'>): string {
  return `export ${exportId} chunk ${position}${isLast ? ' last' : ''}`
}

export async function insertChunk(
  tx: Transaction,
  { tenantId, exportId }: ExportKey,
  { position, isLast, content }: ChunkRow,
): Promise<void> {
  await tx.rows(sql`
    insert into cell.export_chunk (tenant_id, export_id, position, is_last, content)
    values (${tenantId}, ${exportId}, ${position}, ${isLast}, ${content})`)
}

export async function findChunk(
  tx: Transaction,
  { tenantId, exportId }: ExportKey,
  position: number,
): Promise<Buffer | undefined> {
  const found = await tx.row<{ content: Buffer }>(sql`
    select content from cell.export_chunk
    where tenant_id = ${tenantId} and export_id = ${exportId} and position = ${position}`)
  return found?.content
}

/** Returns the sizes of the chunks that it deleted: fewer than the limit if none are left. */
export async function deleteChunks(
  tx: Transaction,
  { tenantId, exportId }: ExportKey,
  limit: number,
): Promise<number[]> {
  const deleted = await tx.rows<{ bytes: number }>(sql`
    delete from cell.export_chunk
    where tenant_id = ${tenantId} and export_id = ${exportId} and position in (
      select position from cell.export_chunk
      where tenant_id = ${tenantId} and export_id = ${exportId} order by position limit ${limit}::bigint
    )
    returning octet_length(content) as bytes`)
  return deleted.map(({ bytes }) => bytes)
}
