import type { Money } from '../../base/money.ts'
import { sql } from '../../postgres/sql.ts'
import type { Transaction } from '../../postgres/transaction.ts'
import type { Duty } from '../declare/duties.ts'

/** A request that waits, or has waited, for a second person. */
export interface ApprovalRow {
  id: string
  database: 'cell' | 'directory'
  operation: string
  /** Duty of the proposer; `confirmDuty` is the second person's. */
  duty: Duty
  confirmDuty: Duty
  /** Offering for which both need their duty; null if the request concerns no single offering. */
  offeringId: string | null
  subjectType: string
  subjectId: string
  request: Buffer
  /** The body with its secrets, sealed; null if it has none, and once the approval is decided or has expired. */
  secrets: Buffer | null
  subjectVersion: string
  amountMinor: string | null
  currency: string | null
  state: 'pending' | 'confirmed' | 'rejected' | 'withdrawn'
  proposedBy: string
  proposedAt: Date
  expiresAt: Date
  decidedBy: string | null
  decidedAt: Date | null
}

/** Days that a proposal may wait in the directory, which cannot see the settings in a cell. */
export const expiryDaysDefault = 7

export interface ApprovalKey {
  tenantId: string
  database: 'cell' | 'directory'
  approvalId: string
}

export async function insertApproval(
  tx: Transaction,
  approval: Omit<ApprovalRow, 'amountMinor' | 'currency' | 'state' | 'decidedBy' | 'decidedAt'> & {
    tenantId: string
    amount: Money | undefined
  },
): Promise<void> {
  const { amount } = approval
  await tx.rows(sql`
    insert into base.approval (tenant_id, id, database, operation, duty, confirm_duty, offering_id, subject_type,
                               subject_id, request, secrets, subject_version, amount_minor, currency, proposed_by,
                               proposed_at, expires_at)
    values (${approval.tenantId}, ${approval.id}, ${approval.database}, ${approval.operation}, ${approval.duty},
            ${approval.confirmDuty}, ${approval.offeringId}, ${approval.subjectType}, ${approval.subjectId},
            ${approval.request}, ${approval.secrets}, ${approval.subjectVersion},
            ${amount ? amount.minor.toString() : null}, ${amount?.currency ?? null}, ${approval.proposedBy},
            ${approval.proposedAt}, ${approval.expiresAt})`)
}

/** Runs the work and undoes it. If it throws, the whole transaction is undone. */
export async function runAndRollBack(tx: Transaction, work: () => Promise<unknown>): Promise<void> {
  await tx.rows(sql`savepoint dry_run`)
  await work()
  await tx.rows(sql`rollback to savepoint dry_run`)
}

/** Returns how many days a proposal may wait in the tenant's cell. */
export async function findApprovalExpiryDays(tx: Transaction, tenantId: string): Promise<number> {
  const found = await tx.row<{ days: number }>(sql`
    select approval_expiry_days as days from cell.tenant_settings where tenant_id = ${tenantId}`)
  return found?.days ?? expiryDaysDefault
}

/** Serializes the proposals of a tenant, so that the next one counts this one. */
export async function lockProposals(
  tx: Transaction,
  { tenantId, database }: Omit<ApprovalKey, 'approvalId'>,
): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`proposals ${database} ${tenantId}`}, 0))`)
}

/** Counts the proposals that wait for a second person. */
export async function countPendingProposals(
  tx: Transaction,
  { tenantId, database }: Omit<ApprovalKey, 'approvalId'>,
  { proposedBy, now }: { proposedBy: string; now: Date },
): Promise<{ ofProposer: number; ofTenant: number }> {
  const counted = await tx.row<{ ofProposer: number; ofTenant: number }>(sql`
    select count(*) filter (where proposed_by = ${proposedBy})::int as "ofProposer", count(*)::int as "ofTenant"
    from base.approval
    where tenant_id = ${tenantId} and database = ${database} and state = 'pending' and expires_at > ${now}
      -- Bounds the index scan: an expired proposal stays pending, and none waits longer than this.
      and proposed_at > ${new Date(now.getTime() - expiryDaysMax * 86_400_000)}`)
  if (!counted) throw new Error('a count returned no row')
  return counted
}

/** Equals the maximum in the constraint of `cell.tenant_settings`. */
const expiryDaysMax = 30
