import { createHash } from 'node:crypto'
import type { Transaction } from '../../postgres/transaction.ts'
import type { Vault } from '../../postgres/vault.ts'
import type { FileInParts, FileType } from '../declare/file-response.ts'
import { ApiError } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import { findStoredResponse, insertStoredResponse, lockKey } from './idempotency.sql.ts'

/** Identifies a request. Two requests with equal members are the same request, even if their bodies differ. */
export interface KeyedRequest {
  readonly tenantId: string
  readonly clientId: string
  readonly method: string
  /** Path without the prefix and with ids in lower case, so that both prefixes share their keys. */
  readonly canonicalPath: string
  readonly key: string
  readonly body: unknown
}

export interface OperationResponse {
  status: number
  /** The serialized response body. */
  text: string
  headers: Record<string, string>
  /** Body of a file, or of a list whose rows are written as bytes; replaces `text`. */
  bytes?: Buffer
  /** Type of the body, if it is not the one that the operation declares first. */
  type?: FileType
  /** A file that is sent after the transaction; replaces `text`. */
  file?: FileInParts
}

/**
 * Runs an effect at most once per key. Effect and stored response commit in one transaction, so that a crash at any
 * moment leaves both or neither. While one request with a key is in progress, another gets an error and does not wait.
 */
export async function once(
  tx: Transaction,
  vault: Vault,
  request: KeyedRequest,
  effect: () => Promise<{ status: number; text: string }>,
): Promise<OperationResponse> {
  const { tenantId } = request
  const keyHash = hashOf(request)
  const sealedFor = sealedForResponse(keyHash)
  // Sent in one batch; PostgreSQL runs them in order.
  const [isLocked, stored] = await tx.batch(
    (tx) => lockKey(tx, keyHash),
    (tx) => findStoredResponse(tx, tenantId, keyHash),
  )
  if (!isLocked)
    throw new ApiError(
      requestErrors.idempotency_in_progress,
      'The first request with this idempotency key is still in progress. Retry shortly.',
      { headers: { 'retry-after': '1' } },
    )
  const payloadHash = createHash('sha256').update(canonicalJson(request.body)).digest('base64url')
  if (stored) {
    const opened = await vault.open(stored.body, sealedFor)
    const isMismatch = !opened.startsWith(payloadHash)
    return {
      status: stored.status,
      text: opened.slice(payloadHash.length),
      headers: { 'idempotency-replayed': 'true', ...(isMismatch ? { 'idempotency-payload-mismatch': 'true' } : {}) },
    }
  }
  const { status, text } = await effect()
  // The hash of the request is encrypted with the response: a short secret such as a tax number could be guessed from a
  // plain hash.
  insertStoredResponse(tx, { tenantId, keyHash, status, body: await vault.seal(payloadHash + text, sealedFor) })
  return { status, text, headers: {} }
}

/** Seals a stored response for its request: it cannot be opened as the response to another one. */
export function sealedForResponse(keyHash: Buffer): string {
  return `idempotency ${keyHash.toString('base64url')}`
}

function hashOf({ tenantId, clientId, method, canonicalPath, key }: KeyedRequest): Buffer {
  return createHash('sha256').update([tenantId, clientId, method, canonicalPath, key].join('\0')).digest()
}

/** Returns equal texts for two bodies that differ only in white space or the order of members. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join()}}`
}
