import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiError, unavailable } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'

/** A file that was sent whole, and can be read as often as needed. */
export interface SpooledFile {
  readonly bytes: number
  readonly sha256: Buffer
  read(): AsyncIterable<Uint8Array>
}

/** What an operation takes instead of a JSON body: a file, sent as it is. */
export interface Upload {
  readonly mediaTypes: readonly [string, ...string[]]
  readonly bytesMax: number
  /** How long its transaction may take: reading a large file into rows takes longer than any other write. */
  readonly msMax: number
  readonly description: string
}

/**
 * Keeps what arrives in a temporary file for as long as the work goes on. The file has no name from its first byte on,
 * so that nothing of it can stay behind, even when the process is killed, and nobody else can open it.
 */
export async function spooled<Result>(
  incoming: AsyncIterable<Uint8Array>,
  { bytesMax }: Pick<Upload, 'bytesMax'>,
  work: (file: SpooledFile) => Promise<Result>,
): Promise<Result> {
  if (spooling >= spoolingMax) throw unavailable('Too many files arrive at the same time. Try again shortly.')
  spooling += 1
  let handle: FileHandle | undefined
  try {
    handle = await openNameless()
    const { bytes, sha256 } = await fill(handle, incoming, bytesMax)
    return await work({ bytes, sha256, read: () => piecesOf(handle as FileHandle, bytes) })
  } finally {
    spooling -= 1
    await handle?.close()
  }
}

// Each may take its bytesMax of the disk.
const spoolingMax = 4
let spooling = 0

async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `investor-token-upload-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  await unlink(path)
  return handle
}

async function fill(
  handle: FileHandle,
  incoming: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<{ bytes: number; sha256: Buffer }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of arriving(incoming)) {
    bytes += piece.length
    if (bytes > bytesMax) throw tooLarge(bytesMax)
    hash.update(piece)
    await handle.write(piece)
  }
  return { bytes, sha256: hash.digest() }
}

/** A connection that ends in the middle is no fault of ours. */
async function* arriving(incoming: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* incoming
  } catch {
    throw new ApiError(requestErrors.request_timeout, 'The file did not arrive completely.')
  }
}

/** The rest is not waited for: the connection ends with the answer. */
export function tooLarge(bytesMax: number): ApiError {
  return new ApiError(requestErrors.payload_too_large, `The file is larger than ${bytesMax / 1024 / 1024} MiB.`, {
    headers: { connection: 'close' },
  })
}

const pieceBytes = 64 * 1024

/** Each piece is to be used before the next is asked for: they share their memory. */
async function* piecesOf(handle: FileHandle, bytes: number): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(pieceBytes)
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await handle.read(buffer, 0, pieceBytes, at)
    if (bytesRead === 0) throw new Error('a temporary file is shorter than what was written to it')
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
