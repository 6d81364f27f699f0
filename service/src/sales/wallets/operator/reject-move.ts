import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { walletErrors } from '../wallet.errors.ts'
import type { WalletRow } from '../wallet.sql.ts'
import { walletMoves } from '../wallet-status.ts'

const rejections = {
  prove: { error: walletErrors.wallet_not_provable, verb: 'proven' },
  suspend: { error: walletErrors.wallet_not_suspendable, verb: 'suspended' },
  resume: { error: walletErrors.wallet_not_resumable, verb: 'resumed' },
  retire: { error: walletErrors.wallet_not_retirable, verb: 'retired' },
  reopen: { error: walletErrors.wallet_not_reopenable, verb: 'reopened' },
} as const

/** Returns the error for a move that the status of the wallet does not allow. */
export function rejectMove({ status }: WalletRow, move: keyof typeof rejections): ApiError {
  const { error, verb } = rejections[move]
  return new ApiError(
    error,
    `The wallet is ${status}; only one that is ${walletMoves[move].from.join(' or ')} can be ${verb}.`,
  )
}

export function walletNotFound(): ApiError {
  return new ApiError(requestErrors.not_found, 'Wallet not found in this account.')
}
