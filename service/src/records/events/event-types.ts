import type { Scope } from '../../platform/api/declare/scopes.ts'

/**
 * The event types of integrators, each with the scope required to read it. Only the credential itself can read events
 * of a credential. Operators read all of them. Everyone who reads events must notice a restore.
 */
export const eventTypes = {
  'account.created': 'account.read',
  'account.updated': 'account.read',
  'account.approval_changed': 'account.read',
  'account.erased': 'account.read',
  'benefiting_person.created': 'account.read',
  'offering.opened': 'offering.read',
  'offering.closed': 'offering.read',
  'offering.changed': 'offering.read',
  'order.created': 'order.read',
  'order.part_paid': 'order.read',
  'order.paid': 'order.read',
  'order.not_paid_in_time': 'order.read',
  'order.extended': 'order.read',
  'order.payment_reversed': 'order.read',
  'order.accepted': 'order.read',
  'order.blocked': 'order.read',
  'order.ready_to_mint': 'order.read',
  'order.mint_preconditions_lost': 'order.read',
  'order.minting': 'order.read',
  'order.mint_failed': 'order.read',
  'order.minted': 'order.read',
  'order.cancelled': 'order.read',
  'payment.received': 'order.read',
  'payment.reversed': 'order.read',
  'refund.due': 'order.read',
  'refund.sent': 'order.read',
  'refund.settled': 'order.read',
  'refund.failed': 'order.read',
  'refund.withdrawn': 'order.read',
  'wallet.registered': 'wallet.read',
  'wallet.activated': 'wallet.read',
  'wallet.suspended': 'wallet.read',
  'wallet.resumed': 'wallet.read',
  'wallet.retired': 'wallet.read',
  'wallet.reopened': 'wallet.read',
  'wallet.expired': 'wallet.read',
  'transaction.pending': 'wallet.read',
  'transaction.confirmed': 'wallet.read',
  'transfer.created': 'order.read',
  'transfer.ready': 'order.read',
  'transfer.completed': 'order.read',
  'transfer.cancelled': 'order.read',
  'transfer.rejected': 'order.read',
  'distribution.announced': 'offering.read',
  'distribution.withdrawn': 'offering.read',
  'entitlement.paid': 'wallet.read',
  'entitlement.failed': 'wallet.read',
  'register_extract.created': 'account.read',
  'credential.issued': 'own credential',
  'credential.changed': 'own credential',
  'credential.rotated': 'own credential',
  'credential.disabled': 'own credential',
  'events.restored': 'any scope',
} as const satisfies Record<string, Scope | 'own credential' | 'any scope'>

export type EventType = keyof typeof eventTypes

/** Event types that only operators read. Integrators neither list nor receive them. */
export const operatorEventTypes = [
  'kyc_check.received',
  'kyc_check.decided',
  'unassigned_payment.opened',
  'unassigned_payment.assigned',
  'unassigned_payment.split',
  'unassigned_payment.returned',
  'unassigned_payment.dismissed',
  'statement.imported',
  'statement.booked',
  'entry.attention',
  'entry.resolved',
  'payout.created',
  'payout.released',
  'payout.downloaded',
  'payout.discarded',
  'payout.settled',
  'approval.proposed',
  'approval.confirmed',
  'approval.rejected',
  'approval.withdrawn',
  'approval.expired',
  'chain_op.alarm',
  'chain_op.reverted',
  'offering.minting_stopped',
  'offering.minting_resumed',
  'offering.token_rejected',
  'offering.token_unreadable',
  'offering.token_readable',
  'order.mint_contradicted',
  'signer.gas_low',
  'tenant.files_filling',
  'webhook_endpoint.failing',
  'webhook_endpoint.recovered',
  'webhook_endpoint.disabled',
] as const

export type OperatorEventType = (typeof operatorEventTypes)[number]
export type AnyEventType = EventType | OperatorEventType

export function scopeOfEvent(type: AnyEventType): Scope | 'own credential' | 'any scope' | 'operator' {
  return isForIntegrators(type) ? eventTypes[type] : 'operator'
}

export function isForIntegrators(type: string): type is EventType {
  return Object.hasOwn(eventTypes, type)
}
