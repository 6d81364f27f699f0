import { createHash } from 'node:crypto'
import type { Transaction } from '../../db/transaction.ts'
import type { Vault } from '../../db/vault.ts'
import { ApiError } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import { findAnswer, insertAnswer, lockKey } from './idempotency.sql.ts'

/** What makes two requests the same request. */
export interface KeyedRequest {
  readonly tenantId: string
  readonly clientId: string
  readonly method: string
  /** Without the prefix and with ids in one case, so that both prefixes are one name space. */
  readonly canonicalPath: string
  readonly key: string
  readonly body: unknown
}

export interface OperationResponse {
  status: number
  /** The bytes that were sent, or are to be. */
  text: string
  headers: Record<string, string>
}

/**
 * Runs an effect at most once for a key, in the transaction of the effect: whatever dies at whatever moment, effect and
 * answer are both there or both not. While one request works on a key, another one with it is told so and does not
 * wait.
 */
export async function once(
  tx: Transaction,
  vault: Vault,
  request: KeyedRequest,
  effect: () => Promise<{ status: number; text: string }>,
): Promise<OperationResponse> {
  const { tenantId } = request
  const keyHash = hashOf(request)
  const context = `idempotency ${keyHash.toString('base64url')}`
  // Sent together, run one after the other.
  const [isFree, stored] = await Promise.all([lockKey(tx, keyHash), findAnswer(tx, tenantId, keyHash)])
  if (!isFree)
    throw new ApiError(
      requestErrors.idempotency_in_progress,
      'The first request with this key is still being worked on. Ask again shortly.',
      {
        headers: { 'retry-after': '1' },
      },
    )
  const payloadHash = createHash('sha256').update(canonicalJson(request.body)).digest('base64url')
  if (stored) {
    const opened = await vault.open(stored.body, context)
    const isOther = !opened.startsWith(payloadHash)
    return {
      status: stored.status,
      text: opened.slice(payloadHash.length),
      headers: { 'idempotency-replayed': 'true', ...(isOther ? { 'idempotency-payload-mismatch': 'true' } : {}) },
    }
  }
  const { status, text } = await effect()
  // The hash of the request is sealed with the answer: in the open, a short unknown such as a tax number could be
  // guessed.
  await insertAnswer(tx, { tenantId, keyHash, status, body: await vault.seal(payloadHash + text, context) })
  return { status, text, headers: {} }
}

function hashOf({ tenantId, clientId, method, canonicalPath, key }: KeyedRequest): Buffer {
  return createHash('sha256').update([tenantId, clientId, method, canonicalPath, key].join('\0')).digest()
}

/** The same for two bodies that say the same with other white space or another order of members. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join()}}`
}
