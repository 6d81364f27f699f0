import type { walletStatuses } from './wallet.schema.ts'

export type WalletStatus = (typeof walletStatuses)[number]

interface Move {
  readonly from: readonly WalletStatus[]
  readonly to: WalletStatus
}

/** All that can happen to a wallet once it is registered, which makes it PENDING. What is not here cannot happen. */
export const walletMoves = {
  /** Its owner has signed the challenge. */
  prove: { from: ['PENDING'], to: 'ACTIVE' },
  /** Nobody has, in time. */
  expire: { from: ['PENDING'], to: 'EXPIRED' },
  suspend: { from: ['ACTIVE'], to: 'SUSPENDED' },
  resume: { from: ['SUSPENDED'], to: 'ACTIVE' },
  retire: { from: ['ACTIVE'], to: 'INACTIVE' },
  /** What was proven long ago, or never, has to be proven anew. */
  reopen: { from: ['INACTIVE', 'EXPIRED'], to: 'PENDING' },
} as const satisfies Record<string, Move>

export type WalletMove = keyof typeof walletMoves

/** Whether a wallet in this state can be moved so. That it is there already is another question. */
export function canMove(status: WalletStatus, move: WalletMove): boolean {
  const { from }: Move = walletMoves[move]
  return from.includes(status)
}
