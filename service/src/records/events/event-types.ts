import type { Scope } from '../../platform/api/declare/scopes.ts'

/**
 * All event types, each with the scope required to read it. Only the credential itself can read events of a credential.
 */
export const eventTypes = {
  'account.created': 'account.read',
  'account.updated': 'account.read',
  'account.approval_changed': 'account.read',
  'benefiting_person.created': 'account.read',
  'offering.opened': 'offering.read',
  'offering.closed': 'offering.read',
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
  'credential.issued': 'own credential',
  'credential.changed': 'own credential',
  'credential.rotated': 'own credential',
  'credential.disabled': 'own credential',
} as const satisfies Record<string, Scope | 'own credential'>

export type EventType = keyof typeof eventTypes
