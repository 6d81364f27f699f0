import { createHash } from 'node:crypto'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Vault } from '../../platform/postgres/vault.ts'
import { fileEncodings } from '../register-extracts/file-encodings.ts'
import type { ExportKey } from './export.sql.ts'
import { chunkContext, findChunk } from './export-chunk.sql.ts'
import type { ExportFormat } from './export-source.ts'

/** Returns the SHA-256 of a complete file, reading one chunk at a time. */
export async function hashOfFile(
  tx: Transaction,
  vault: Vault,
  key: ExportKey,
  file: { chunkCount: number; format: ExportFormat },
): Promise<Buffer> {
  const hash = createHash('sha256')
  for (let position = 0; position < file.chunkCount; position += 1)
    hash.update(await readChunk(tx, vault, key, { position, ...file }))
  return hash.digest()
}

/** Reads and opens a chunk of a complete file. */
export async function readChunk(
  tx: Transaction,
  vault: Vault,
  key: ExportKey,
  { position, chunkCount, format }: { position: number; chunkCount: number; format: ExportFormat },
): Promise<Buffer> {
  const content = await findChunk(tx, key, position)
  if (!content) throw new Error('a chunk of an export is missing')
  const isLast = position === chunkCount - 1
  const text = await vault.open(content, chunkContext(key.exportId, { position, isLast }))
  return Buffer.from(text, fileEncodings[format])
}
