import { createHash } from 'node:crypto'
import type { SpooledFile } from '../../platform/api/declare/spool.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Vault } from '../../platform/postgres/vault.ts'
import { insertFileChunk, selectFileChunks } from './statement-file.sql.ts'

interface FileContext {
  readonly tenantId: string
  readonly tx: Transaction
  readonly vault: Vault
}

const chunkBytes = 1024 * 1024
/** A download keeps the whole file in memory. Larger files are rare, and the bank has them. */
const storedBytesMax = 32 * chunkBytes

/** Encryption context of a chunk: it opens only at this position of this file. */
export function statementFileContext(fileHash: Buffer, chunk: number): string {
  return `statement file ${fileHash.toString('base64url')} chunk ${chunk}`
}

/**
 * Stores the file as it was imported, for an auditor to compare with the bank's. Returns the number of stored bytes.
 */
export async function storeStatementFile({ tenantId, tx, vault }: FileContext, file: SpooledFile): Promise<number> {
  if (file.bytes > storedBytesMax) return 0
  const key = { tenantId, fileHash: file.sha256 }
  let chunk = 0
  let storedBytes = 0
  for await (const bytes of chunksOf(file)) {
    const content = await vault.seal(bytes.toString('base64'), statementFileContext(file.sha256, chunk))
    await insertFileChunk(tx, key, { chunk, content })
    storedBytes += content.length
    chunk += 1
  }
  return storedBytes
}

/** Returns the file byte for byte, or undefined if it was too large to be stored. */
export async function openStatementFile(
  { tenantId, tx, vault }: FileContext,
  fileHash: Buffer,
): Promise<Buffer | undefined> {
  const chunks = await selectFileChunks(tx, { tenantId, fileHash })
  if (chunks.length === 0) return undefined
  const opened = await Promise.all(
    chunks.map(async ({ chunk, content }) =>
      Buffer.from(await vault.open(content, statementFileContext(fileHash, chunk)), 'base64'),
    ),
  )
  const file = Buffer.concat(opened)
  if (!createHash('sha256').update(file).digest().equals(fileHash))
    throw new Error('a stored statement file does not have the hash of what was imported')
  return file
}

async function* chunksOf(file: SpooledFile): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let size = 0
  for await (const part of file.read()) {
    // The reader reuses its buffer.
    parts.push(Buffer.from(part))
    size += part.length
    if (size < chunkBytes) continue
    yield Buffer.concat(parts)
    parts = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(parts)
}
