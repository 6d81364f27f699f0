import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'

export interface FileBytes {
  bytes: bigint
  mebibytesMax: number
}

/**
 * Adds to the sum and keeps its row locked until the end of the transaction: call it after the files are written. The
 * first call counts all files. Their sizes are in the rows, so no file is read.
 */
export async function addToFileBytes(tx: Transaction, tenantId: string, added: number): Promise<FileBytes> {
  const documents = sql`select sum(octet_length(content)) from cell.document_part where tenant_id = ${tenantId}`
  const statements = sql`select sum(octet_length(content)) from cell.statement_file where tenant_id = ${tenantId}`
  const exports = sql`select sum(octet_length(content)) from cell.export_chunk where tenant_id = ${tenantId}`
  const counted = await tx.row<{ bytes: string; mebibytesMax: number }>(sql`
    update cell.tenant
    set file_bytes = case
      when file_bytes is null
        then coalesce((${documents}), 0) + coalesce((${statements}), 0) + coalesce((${exports}), 0)
      else greatest(0, file_bytes + ${added}::bigint) end
    where id = ${tenantId}
    returning file_bytes::text as bytes, file_mebibytes_max as "mebibytesMax"`)
  if (!counted) throw new Error('the cell does not have the tenant')
  return { ...counted, bytes: BigInt(counted.bytes) }
}

/** Reads the sum without a lock. */
export async function findFileBytes(tx: Transaction, tenantId: string): Promise<FileBytes> {
  const found = await tx.row<{ bytes: string; mebibytesMax: number }>(sql`
    select coalesce(file_bytes, 0)::text as bytes, file_mebibytes_max as "mebibytesMax"
    from cell.tenant where id = ${tenantId}`)
  if (!found) throw new Error('the cell does not have the tenant')
  return { ...found, bytes: BigInt(found.bytes) }
}
