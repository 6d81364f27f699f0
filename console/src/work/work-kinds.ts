import type { Schemas } from '../api/client.ts'

export type WorkKind = Schemas['WorkSummary']['kind']
type WorkGroup = 'decide' | 'compliance' | 'offerings' | 'money' | 'settlement' | 'integrations'

/**
 * Kinds of work by group, each with the screen whose navigation entry counts it. The API leaves out kinds that the
 * person's duties do not permit.
 */
const kindsOf: Readonly<Record<WorkGroup, Partial<Record<WorkKind, string>>>> = {
  decide: { approval: '/approvals' },
  money: {
    unassigned_payment: '/money/matching',
    statement_entry: '/money/statements',
    statement_gap: '/money/statements',
    late_payment: '/orders',
    refund_due: '/money/refunds',
    refund_failed: '/money/refunds',
    refund_unsettled: '/money/refunds',
  },
  offerings: { order_to_accept: '/orders', part_paid_due_soon: '/orders' },
  compliance: {
    approval_pending: '/investors',
    kyc_check_queued: '/investors',
    transfer_to_approve: '/transfers',
    unrequested_transfer: '/transfers',
  },
  settlement: {
    order_on_hold: '/orders',
    chain_op_failed: '/settlement',
    minting_stopped: '/offerings',
    token_rejected: '/offerings',
    gas_low: '/settlement',
    indexer_behind: '/settlement',
  },
  integrations: { webhook_failing: '/developers', secret_expiring: '/developers' },
}

export const workGroups = Object.keys(kindsOf) as WorkGroup[]

export function kindsOfGroup(group: WorkGroup): WorkKind[] {
  return Object.keys(kindsOf[group]) as WorkKind[]
}

/** Returns the screen whose navigation entry counts a kind. */
export function screenOfKind(kind: WorkKind): string | undefined {
  return workGroups.map((group) => kindsOf[group][kind]).find((screen) => screen !== undefined)
}

export function isWorkKind(text: string): text is WorkKind {
  return workGroups.some((group) => text in kindsOf[group])
}
