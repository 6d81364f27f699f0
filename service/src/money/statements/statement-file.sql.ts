import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'

interface FileKey {
  tenantId: string
  fileHash: Buffer
}

/** Does nothing if the chunk is stored already: a discarded statement may be imported again. */
export async function insertFileChunk(
  tx: Transaction,
  { tenantId, fileHash }: FileKey,
  { chunk, content }: { chunk: number; content: Buffer },
): Promise<void> {
  await tx.rows(sql`
    insert into cell.statement_file (tenant_id, file_hash, chunk, content)
    values (${tenantId}, ${fileHash}, ${chunk}, ${content})
    on conflict (tenant_id, file_hash, chunk) do nothing`)
}

export function selectFileChunks(tx: Transaction, { tenantId, fileHash }: FileKey) {
  return tx.rows<{ chunk: number; content: Buffer }>(sql`
    select chunk, content from cell.statement_file
    where tenant_id = ${tenantId} and file_hash = ${fileHash} order by chunk`)
}
