import type { walletStatuses } from './wallet.schema.ts'

export type WalletStatus = (typeof walletStatuses)[number]

interface Move {
  readonly from: readonly WalletStatus[]
  readonly to: WalletStatus
}

/** All status changes of a wallet. Registration creates it as PENDING. A change that is not listed is not allowed. */
export const walletMoves = {
  /** The owner signed the challenge. */
  prove: { from: ['PENDING'], to: 'ACTIVE' },
  /** The owner did not sign the challenge before it expired. */
  expire: { from: ['PENDING'], to: 'EXPIRED' },
  suspend: { from: ['ACTIVE'], to: 'SUSPENDED' },
  resume: { from: ['SUSPENDED'], to: 'ACTIVE' },
  retire: { from: ['ACTIVE'], to: 'INACTIVE' },
  /** The owner has to prove ownership again. */
  reopen: { from: ['INACTIVE', 'EXPIRED'], to: 'PENDING' },
} as const satisfies Record<string, Move>

export type WalletMove = keyof typeof walletMoves

/** Returns true if the move is allowed from this status. The caller handles wallets already in the target status. */
export function canMove(status: WalletStatus, move: WalletMove): boolean {
  const { from }: Move = walletMoves[move]
  return from.includes(status)
}
