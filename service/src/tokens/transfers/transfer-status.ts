/**
 * REQUESTED ──approved──▶ APPROVED ──receiver registered──▶ READY ──log in a block──▶ SENT ──finalized──▶ DONE
 * A reorg that removes the block makes a SENT transfer READY again. Until it is SENT, a transfer can be CANCELLED by
 * the integrator or REJECTED by an operator.
 */
export const transferStatuses = ['REQUESTED', 'APPROVED', 'READY', 'SENT', 'DONE', 'CANCELLED', 'REJECTED'] as const
export type TransferStatus = (typeof transferStatuses)[number]

export const transferReasons = ['sale', 'gift', 'inheritance', 'change_of_wallet', 'lost_keys'] as const
export type TransferReason = (typeof transferReasons)[number]

/** Returns true if the sender cannot sign, so that two persons move the units by a forced transfer. */
export function isForced(reason: TransferReason): boolean {
  return reason === 'inheritance' || reason === 'lost_keys'
}

/** Returns true if the owner stays the same: both wallets belong to one account. */
export function isWithinAccount(reason: TransferReason): boolean {
  return reason === 'change_of_wallet' || reason === 'lost_keys'
}

/** Returns true if nothing has happened on the chain yet. */
export function isOpen(status: TransferStatus): boolean {
  return status === 'REQUESTED' || status === 'APPROVED' || status === 'READY'
}
