import type { Static } from 'typebox'
import { validationFailed } from '../../platform/api/errors/errors.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { findAuditHash, findAuditHead, verifyAuditPart } from './audit.sql.ts'
import type { AuditVerification, AuditVerificationRequest } from './audit-verification.schema.ts'

/** Takes about 100 ms of one core. The caller continues where a response ended, so that no request takes longer. */
const rowsMax = 5_000

/** Verifies a part of the tenant's hash chain in the transaction's database, and at the end the recorded end. */
export async function verifyAudit(
  tx: Transaction,
  tenantId: string,
  { after_sequence: after = 0, expected_head: expected }: Static<typeof AuditVerificationRequest>,
): Promise<Static<typeof AuditVerification>> {
  // One round trip, and therefore one snapshot.
  const [part, head, known, start] = await tx.batch(
    (tx) => verifyAuditPart(tx, after, rowsMax),
    (tx) => findAuditHead(tx, tenantId),
    (tx) => (expected ? findAuditHash(tx, tenantId, expected.sequence) : undefined),
    (tx) => (after > 0 ? findAuditHash(tx, tenantId, after) : undefined),
  )
  if (after > 0 && !start)
    throw validationFailed([
      { pointer: '/after_sequence', detail: 'after_sequence must be the sequence of an entry: 0, or `verified_to`.' },
    ])
  const verifiedTo = Number(part.verifiedTo ?? after)
  const isComplete = part.rowCount < rowsMax
  const lastHash = isComplete && verifiedTo > 0 ? await findAuditHash(tx, tenantId, verifiedTo) : undefined
  const recorded = head && { sequence: Number(head.sequence), hash: head.hash.toString('hex') }
  const problem =
    (part.problem && { sequence: Number(part.sequence), detail: part.problem }) ||
    (expected && known?.hash.toString('hex') !== expected.hash
      ? { sequence: expected.sequence, detail: 'the row does not match the expected head' }
      : undefined) ||
    (isComplete ? problemOfEnd(verifiedTo, lastHash?.hash.toString('hex'), recorded) : undefined)
  return {
    verified_to: problem ? Math.min(verifiedTo, Math.max(0, problem.sequence - 1)) : verifiedTo,
    is_complete: isComplete,
    head: recorded ?? null,
    problem: problem ?? null,
  }
}

/** Returns the problem with the end of the chain, in the words of base.verify_audit_chain(). */
function problemOfEnd(
  last: number,
  lastHash: string | undefined,
  head: { sequence: number; hash: string } | undefined,
): { sequence: number; detail: string } | undefined {
  if (!head)
    return last > 0 ? { sequence: 0, detail: 'rows exist, but the recorded end (audit_head) is missing' } : undefined
  const { sequence } = head
  if (last < sequence) return { sequence, detail: last === 0 ? 'all rows are missing' : 'the last rows are missing' }
  if (last > sequence) return { sequence, detail: 'rows exist after the recorded end' }
  return lastHash !== undefined && lastHash !== head.hash
    ? { sequence, detail: 'the last row does not match the recorded end' }
    : undefined
}
