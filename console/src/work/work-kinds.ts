import type { Schemas } from '../api/client.ts'

export type WorkKind = Schemas['WorkSummary']['kind']
type WorkGroup = 'decide' | 'compliance' | 'offerings' | 'money' | 'settlement' | 'integrations'

/**
 * The kinds of work, by what a person decides about. The API leaves out those that the person's duties do not permit.
 * `screen` is the entry of the navigation that counts them.
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

/** The screen whose entry in the navigation counts a kind. */
export function screenOfKind(kind: WorkKind): string | undefined {
  return workGroups.map((group) => kindsOf[group][kind]).find((screen) => screen !== undefined)
}

export function isWorkKind(text: string): text is WorkKind {
  return workGroups.some((group) => text in kindsOf[group])
}
