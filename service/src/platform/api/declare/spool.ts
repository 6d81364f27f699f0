import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiError, unavailable } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'

/** A completely received file, which can be read any number of times. */
export interface SpooledFile {
  readonly bytes: number
  readonly sha256: Buffer
  read(): AsyncIterable<Uint8Array>
}

/** Declares a file that is sent as the request body instead of JSON. */
export interface Upload {
  readonly mediaTypes: readonly [string, ...string[]]
  readonly bytesMax: number
  /** Timeout of its transaction: importing a large file takes longer than any other write. */
  readonly msMax: number
  readonly description: string
}

/**
 * Receives the file into a temporary file that exists as long as the work runs. The temporary file is unlinked before
 * its first byte: nothing stays behind, even if the process is killed, and no other process can open it.
 */
export async function spooled<Result>(
  incoming: AsyncIterable<Uint8Array>,
  { bytesMax }: Pick<Upload, 'bytesMax'>,
  work: (file: SpooledFile) => Promise<Result>,
): Promise<Result> {
  if (spooling >= spoolingMax) throw unavailable('Too many files are being uploaded. Retry shortly.')
  spooling += 1
  let handle: FileHandle | undefined
  try {
    handle = await openUnlinked()
    const { bytes, sha256 } = await receive(handle, incoming, bytesMax)
    return await work({ bytes, sha256, read: () => storedChunks(handle as FileHandle, bytes) })
  } finally {
    spooling -= 1
    await handle?.close()
  }
}

// Each may use up to its bytesMax on disk.
const spoolingMax = 4
let spooling = 0

async function openUnlinked(): Promise<FileHandle> {
  const path = join(tmpdir(), `investor-token-upload-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  await unlink(path)
  return handle
}

async function receive(
  handle: FileHandle,
  incoming: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<{ bytes: number; sha256: Buffer }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of chunksOf(incoming)) {
    bytes += chunk.length
    if (bytes > bytesMax) throw tooLarge(bytesMax)
    hash.update(chunk)
    await handle.write(chunk)
  }
  return { bytes, sha256: hash.digest() }
}

/** A connection that ends early is an error of the client and not of the service. */
async function* chunksOf(incoming: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* incoming
  } catch {
    throw new ApiError(requestErrors.request_timeout, 'The file did not arrive completely.')
  }
}

/** We do not wait for the rest of the file: the connection ends with the response. */
export function tooLarge(bytesMax: number): ApiError {
  return new ApiError(requestErrors.payload_too_large, `The file is larger than ${bytesMax / 1024 / 1024} MiB.`, {
    headers: { connection: 'close' },
  })
}

const chunkBytes = 64 * 1024

/** All chunks share one buffer: a reader must use each before it requests the next. */
async function* storedChunks(handle: FileHandle, bytes: number): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(chunkBytes)
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes, at)
    if (bytesRead === 0) throw new Error('a temporary file is shorter than what was written to it')
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
