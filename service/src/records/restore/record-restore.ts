import type { Actor } from '../../platform/api/declare/audit.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { appendAudit } from '../audit/append-audit.sql.ts'
import { findAuditHash, findAuditHead, hasAuditedRestore } from '../audit/audit.sql.ts'

/** The end of an audit log, as `publish-audit-heads` has published it. */
export interface PublishedHead {
  readonly sequence: number
  /** In hexadecimal. */
  readonly hash: string
}

/**
 * Appends the entry that explains why the log ends earlier than the published end: it names the end of the restored
 * log, and the end that was lost. Returns whether entries are missing, or undefined if the restore is recorded already.
 */
export async function recordRestore(
  tx: Transaction,
  by: Actor,
  { tenantId, restoredTo, published }: { tenantId: string; restoredTo: string; published: PublishedHead | undefined },
): Promise<'complete' | 'entries lost' | 'unknown' | undefined> {
  if (await hasAuditedRestore(tx, tenantId, restoredTo)) return undefined
  const head = await findAuditHead(tx, tenantId)
  const known = published && (await findAuditHash(tx, tenantId, published.sequence))
  const isLost = published !== undefined && known?.hash.toString('hex') !== published.hash
  const kept = head && { sequence: Number(head.sequence), hash: head.hash.toString('hex') }
  await appendAudit(tx, by, {
    action: 'tenant.restored',
    subject: { type: 'tenant', id: tenantId },
    ...(isLost && { before: { head: published } }),
    after: { restored_to: restoredTo, head: kept ?? null },
  })
  if (!published) return 'unknown'
  return isLost ? 'entries lost' : 'complete'
}
