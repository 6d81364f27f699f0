import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, statfs, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TenantSlots } from '../../base/tenant-slots.ts'
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
  /** Timeout of its transaction, because importing a large file takes longer than any other write. */
  readonly msMax: number
  readonly description: string
}

/**
 * Receives the upload into a temporary file that exists as long as the work runs. The file is unlinked before its first
 * byte is written: nothing stays behind, even if the process is killed, and no other process can open it.
 */
export async function spooled<Result>(
  incoming: AsyncIterable<Uint8Array>,
  { bytesMax, tenantId, spool = spoolOfProcess }: SpoolOptions,
  work: (file: SpooledFile) => Promise<Result>,
): Promise<Result> {
  if (spool.slots.isFull(tenantId))
    throw new ApiError(
      requestErrors.too_many_uploads,
      `Your tenant can upload at most ${uploadsPerTenantMax} files at once. Retry when one of them is done.`,
      { headers: { 'retry-after': '1' } },
    )
  if (spool.spooling >= spoolingMax) throw unavailable('Too many files are being uploaded. Retry shortly.')
  spool.slots.take(tenantId)
  spool.spooling += 1
  let handle: FileHandle | undefined
  try {
    handle = await openUnlinked(spool)
    const { bytes, sha256 } = await receive(handle, chunksOf(incoming), bytesMax)
    return await work({ bytes, sha256, read: () => storedChunks(handle as FileHandle, bytes) })
  } finally {
    spool.spooling -= 1
    spool.slots.release(tenantId)
    await handle?.close()
  }
}

interface SpoolOptions extends Pick<Upload, 'bytesMax'> {
  readonly tenantId: string
  readonly spool?: Spool | undefined
}

/**
 * Makes this the folder for uploads. Checks that it can receive a file and has room for `files` of `bytesMax` each:
 * otherwise the first upload would find out. Returns a sentence that names the setting and the problem, or undefined if
 * there is none.
 */
export async function useSpoolFolder(
  path: string,
  { bytesMax, files = spoolingMax, spool = spoolOfProcess }: { bytesMax: number; files?: number; spool?: Spool },
): Promise<string | undefined> {
  spool.folder = path
  const remedy =
    'Mount a volume that the user of the process can write to there, or set UPLOAD_FOLDER to another folder.'
  try {
    const handle = await openUnlinked(spool)
    await handle.close()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'the folder does not exist' : `no file can be written to the folder (${code})`
    return `UPLOAD_FOLDER is invalid: ${reason}. ${remedy}`
  }
  const { bavail, bsize } = await statfs(path, { bigint: true })
  const [free, needed] = [Number(bavail * bsize) / mebibyte, (files * bytesMax) / mebibyte]
  if (free >= needed) return undefined
  const need = `files that are uploaded at once may need ${Math.ceil(needed)} MiB`
  const sizes = `${Math.floor(free)} MiB are free, and ${need}`
  return `UPLOAD_FOLDER is invalid: ${sizes}. Free that space, or set UPLOAD_FOLDER to a folder that has it.`
}

// Each may use up to its bytesMax on disk. No tenant can take all of them, so a slow one does not stop the others.
const spoolingMax = 8
const uploadsPerTenantMax = 2

/** A folder that receives files, and the number in progress. */
export interface Spool {
  readonly slots: TenantSlots
  spooling: number
  folder: string
}

export function createSpool(): Spool {
  return { slots: new TenantSlots(uploadsPerTenantMax), spooling: 0, folder: tmpdir() }
}

/** The spool of a maintenance command. Each API has its own. */
const spoolOfProcess = createSpool()
const mebibyte = 1024 * 1024

async function openUnlinked({ folder }: Spool): Promise<FileHandle> {
  const path = join(folder, `investor-token-upload-${randomUUID()}`)
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
  for await (const chunk of incoming) {
    bytes += chunk.length
    if (bytes > bytesMax) throw tooLarge(bytesMax)
    hash.update(chunk)
    await handle.write(chunk)
  }
  return { bytes, sha256: hash.digest() }
}

// Slower than any connection fit to send a bank file. Keeps an upload from occupying its slot for hours.
const kibibytesPerSecondMin = 16
const windowSeconds = 10
const windowMs = windowSeconds * 1000

/** Yields the chunks. Only the time that we wait for the sender counts, so that a slow disk of ours ends no upload. */
async function* chunksOf(incoming: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = incoming[Symbol.asyncIterator]()
  let window = { bytes: 0, leftMs: windowMs }
  let next = chunks.next()
  let isTooSlow = false
  try {
    for (;;) {
      const askedAt = performance.now()
      const chunk = await arrived(next, window.leftMs)
      window.leftMs -= performance.now() - askedAt
      if (chunk?.done) return
      window.bytes += chunk?.value.length ?? 0
      if (window.leftMs <= 0 || !chunk) {
        isTooSlow = window.bytes < kibibytesPerSecondMin * 1024 * windowSeconds
        if (isTooSlow) throw tooSlow()
        window = { bytes: 0, leftMs: windowMs }
      }
      if (!chunk) continue
      yield chunk.value
      next = chunks.next()
    }
  } finally {
    // A source cannot be ended while it is being read. The connection ends with the response.
    if (isTooSlow) next.catch(() => {})
    else await chunks.return?.()
  }
}

/** Returns undefined if nothing has arrived in time. A connection that ends early is the client's error, not ours. */
async function arrived<Chunk>(next: Promise<Chunk>, timeoutMs: number): Promise<Chunk | undefined> {
  const timeout = new AbortController()
  const nothing = sleep(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined)
  try {
    return await Promise.race([next, nothing])
  } catch {
    throw new ApiError(requestErrors.request_timeout, 'The file did not arrive completely.')
  } finally {
    timeout.abort()
  }
}

function tooSlow(): ApiError {
  const rule = `less than ${kibibytesPerSecondMin} KiB a second for ${windowSeconds} seconds`
  return new ApiError(requestErrors.request_timeout, `The file arrived at ${rule}. Send it over a faster connection.`, {
    headers: { connection: 'close' },
  })
}

export function tooLarge(bytesMax: number): ApiError {
  return new ApiError(requestErrors.payload_too_large, `The file is larger than ${bytesMax / mebibyte} MiB.`)
}

const chunkBytes = 64 * 1024

/** All chunks share one buffer: a reader must use each before it requests the next. */
async function* storedChunks(handle: FileHandle, bytes: number): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(chunkBytes)
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes, at)
    if (bytesRead === 0) throw new Error('a temporary file is shorter than the upload that was written to it')
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
