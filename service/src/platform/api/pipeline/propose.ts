import type { Static } from 'typebox'
import { newId } from '../../base/ids.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Vault } from '../../db/vault.ts'
import type { Amount, ApprovalRule, ProposedChange } from '../declare/approval.ts'
import type { Audit } from '../declare/audit.ts'
import type { OperatorHeader, ValidatedInput } from '../declare/operation.ts'
import type { OperatorFacts } from '../declare/operator-facts.ts'
import type { PipelineServices } from '../declare/services.ts'
import { expiryDaysDefault, findApprovalExpiryDays, insertApproval, runAndRollBack } from './approval.sql.ts'
import type { OperationResponse } from './idempotency.ts'
import { offeringOf } from './require-offering.ts'

/** What proposing needs of the context of a cell operation and of a directory operation. */
interface ProposalContext extends OperatorFacts {
  readonly tenantId: string
  readonly tx: Transaction
  readonly vault?: Vault
  readonly now: Date
  readonly audit: Audit
}

/** An operation for the cell or the directory, with its rule about the second person if it has one. */
export interface OperationWithRule<Context> {
  readonly database: 'cell' | 'directory'
  readonly header: OperatorHeader
  readonly run: (input: ValidatedInput, context: Context) => Promise<unknown>
  readonly rule?: ApprovalRule<ValidatedInput, Context>
}

const dayMs = 86_400_000

/**
 * Stores the request for a second person if it needs one, and returns the 202 for the caller. Returns undefined if the
 * caller may act alone. The operation first runs in a part of the transaction that is rolled back, so that a request
 * that cannot succeed is rejected at once instead of when another person looks at it.
 */
export async function proposeIfNeeded<Context extends ProposalContext>(
  { database, header, run, rule }: OperationWithRule<Context>,
  input: ValidatedInput,
  context: Context,
  { announceApproval }: Pick<PipelineServices, 'announceApproval'>,
): Promise<OperationResponse | undefined> {
  if (!rule) return undefined
  const amount = await rule.amount?.(input, context)
  const confirmDuty = rule.confirmDuty ?? header.duty
  if (!(await isNeeded(rule, amount, input, context))) return undefined
  await runAndRollBack(context.tx, () => run(input, { ...context, audit: () => undefined }))
  const { tenantId, tx, now, operator } = context
  const id = newId()
  const expiryDays = database === 'cell' ? await findApprovalExpiryDays(tx, tenantId) : expiryDaysDefault
  const offeringId = await offeringOf(header, input, context)
  const subjectId = Object.values(input.params)[0] ?? tenantId
  const expiresAt = new Date(now.getTime() + expiryDays * dayMs)
  await insertApproval(tx, {
    tenantId,
    id,
    database,
    operation: header.id,
    duty: header.duty,
    confirmDuty,
    offeringId,
    subjectType: rule.subject,
    subjectId,
    request: await sealRequest(context, id, input),
    subjectVersion: (await rule.version?.({ tenantId, id: subjectId }, tx)) ?? '',
    amount,
    proposedBy: operator.userId,
    proposedAt: now,
    expiresAt,
  })
  await announceApproval(tx, {
    tenantId,
    approvalId: id,
    database,
    operation: header.id,
    confirmDuty,
    offeringId,
    proposedBy: operator.userId,
    expiresAt,
  })
  context.audit({
    action: 'approval.proposed',
    subject: { type: 'approval', id },
    after: { operation: header.id, [`${rule.subject}_id`]: subjectId },
  })
  const proposed: Static<typeof ProposedChange> = { approval_id: id, confirm_duty: confirmDuty }
  return { status: 202, text: JSON.stringify(proposed), headers: {} }
}

async function isNeeded<Context extends ProposalContext>(
  rule: ApprovalRule<ValidatedInput, Context>,
  amount: Amount | undefined,
  input: ValidatedInput,
  context: Context,
): Promise<boolean> {
  if (rule.isNeeded && !(await rule.isNeeded(input, context))) return false
  if (rule.policy === 'always') return true
  const threshold = context.operator.policies[rule.policy]
  if (threshold === undefined) return true
  if (threshold === null) return false
  return amount === undefined || amount.minor >= threshold
}

/** Path, query and body, as validated. Encrypted where the database has the tenant's keys. */
async function sealRequest(
  { vault }: Pick<ProposalContext, 'vault'>,
  approvalId: string,
  { params, query, body }: ValidatedInput,
): Promise<Buffer> {
  const text = JSON.stringify({ params, query, body })
  return vault ? vault.seal(text, proposedRequestContext(approvalId)) : Buffer.from(text)
}

export async function openRequest(
  { vault }: { readonly tx: Transaction; readonly vault?: Vault },
  { id, request }: { id: string; request: Buffer },
): Promise<ValidatedInput> {
  const text = vault ? await vault.open(request, proposedRequestContext(id)) : request.toString()
  return { ...(JSON.parse(text) as Omit<ValidatedInput, 'file'>), file: undefined }
}

/** What a sealed request belongs to. */
export function proposedRequestContext(approvalId: string): string {
  return `approval ${approvalId}`
}
