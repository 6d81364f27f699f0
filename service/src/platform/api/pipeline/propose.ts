import type { Static, TSchema } from 'typebox'
import { newId } from '../../base/ids.ts'
import type { Money } from '../../base/money.ts'
import type { Transaction } from '../../postgres/transaction.ts'
import type { Vault } from '../../postgres/vault.ts'
import type { ApprovalRule, ProposedChange } from '../declare/approval.ts'
import type { Audit } from '../declare/audit.ts'
import { maskOf } from '../declare/masked.ts'
import type { OperatorHeader, ValidatedInput } from '../declare/operation.ts'
import type { OperatorFacts } from '../declare/operator-facts.ts'
import type { PipelineServices } from '../declare/services.ts'
import { ApiError } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import {
  type ApprovalRow,
  countPendingProposals,
  expiryDaysDefault,
  findApprovalExpiryDays,
  insertApproval,
  lockProposals,
  runAndRollBack,
} from './approval.sql.ts'
import type { OperationResponse } from './idempotency.ts'
import { offeringOf } from './require-offering.ts'

/** The context that proposing needs, of a cell operation or a directory operation. */
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
 * caller may act alone. First runs the operation in a part of the transaction that is rolled back, so that a request
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
  await requireRoomForProposal(context, database)
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
    ...(await sealRequest(context, id, { input, schema: header.body })),
    subjectVersion: (await rule.fingerprint?.({ tenantId, id: subjectId }, tx)) ?? '',
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
    proposedAt: now,
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

/** Keeps one proposal visible among the others. Two bulk requests of a person fit. */
const proposalsOfUserMax = 200
/** The limit of five busy people. A tenant's list of approvals is then 20 pages. */
const proposalsOfTenantMax = 1_000

async function requireRoomForProposal(
  { tenantId, tx, operator, now }: ProposalContext,
  database: 'cell' | 'directory',
): Promise<void> {
  await lockProposals(tx, { tenantId, database })
  const { ofProposer, ofTenant } = await countPendingProposals(
    tx,
    { tenantId, database },
    { proposedBy: operator.userId, now },
  )
  if (ofProposer >= proposalsOfUserMax)
    throw new ApiError(
      requestErrors.too_many_proposals,
      `${proposalsOfUserMax} of your proposals wait for a second person, the maximum. ` +
        'Have some of them decided, or withdraw some.',
    )
  if (ofTenant >= proposalsOfTenantMax)
    throw new ApiError(
      requestErrors.too_many_proposals,
      `${proposalsOfTenantMax} proposals of your tenant wait for a second person, the maximum. ` +
        'Have some of them decided.',
    )
}

async function isNeeded<Context extends ProposalContext>(
  rule: ApprovalRule<ValidatedInput, Context>,
  amount: Money | undefined,
  input: ValidatedInput,
  context: Context,
): Promise<boolean> {
  if (rule.isNeeded && !(await rule.isNeeded(input, context))) return false
  if (rule.policy === 'always' || (await rule.isAlwaysNeeded?.(input, context))) return true
  const policies = typeof rule.policy === 'function' ? await rule.policy(input, context) : [rule.policy]
  const thresholds = policies.map((policy) => context.operator.policies[policy])
  if (thresholds.includes(undefined)) return true
  const chosen = thresholds.filter((threshold) => typeof threshold === 'bigint')
  if (chosen.length === 0) return false
  if (await rule.isNeededAtAnyAmount?.(input, context)) return true
  return chosen.some((threshold) => amount === undefined || amount.minor >= threshold)
}

/**
 * Seals path, query and body, as validated, if the database has the tenant's keys. A body with secrets is stored twice,
 * with and without them: the former is deleted when the proposal is decided.
 */
async function sealRequest(
  { vault }: Pick<ProposalContext, 'vault'>,
  approvalId: string,
  { input: { params, query, body }, schema }: { input: ValidatedInput; schema: TSchema | undefined },
): Promise<Pick<ApprovalRow, 'request' | 'secrets'>> {
  const withoutSecrets = maskOf(schema, 'secret')
  if (!vault) return { request: Buffer.from(JSON.stringify({ params, query, body })), secrets: null }
  const readable = { params, query, body: withoutSecrets ? withoutSecrets(body) : body }
  return {
    request: await vault.seal(JSON.stringify(readable), sealedForProposal(approvalId)),
    secrets: withoutSecrets ? await vault.seal(JSON.stringify(body), sealedForProposedSecrets(approvalId)) : null,
  }
}

/** Returns the request as it was proposed, without its secrets. */
export async function openRequest(
  { vault }: { readonly vault?: Vault },
  { id, request }: { id: string; request: Buffer },
): Promise<ValidatedInput> {
  // A migration emptied the requests that an earlier release had stored with their secrets.
  if (request.length === 0) return { params: {}, query: {}, body: undefined, file: undefined }
  const text = vault ? await vault.open(request, sealedForProposal(id)) : request.toString()
  return { ...(JSON.parse(text) as Omit<ValidatedInput, 'file'>), file: undefined }
}

/** Returns the request as it was proposed. */
export async function openRequestWithSecrets(
  context: { readonly tx: Transaction; readonly vault?: Vault },
  stored: Pick<ApprovalRow, 'id' | 'request' | 'secrets'>,
): Promise<ValidatedInput> {
  const input = await openRequest(context, stored)
  if (!context.vault || !stored.secrets) return input
  return { ...input, body: JSON.parse(await context.vault.open(stored.secrets, sealedForProposedSecrets(stored.id))) }
}

/** Seals a proposed request for its approval: it opens for no other. */
export function sealedForProposal(approvalId: string): string {
  return `approval ${approvalId}`
}

/** Seals the secrets of a proposed request. */
export function sealedForProposedSecrets(approvalId: string): string {
  return `secrets of approval ${approvalId}`
}
