import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { walletErrors } from '../wallet.errors.ts'
import { walletMoves } from '../wallet-status.ts'
import type { OperatorWalletRow } from './operator-wallet.sql.ts'

export function noSuchWallet(): ApiError {
  return new ApiError(requestErrors.not_found, 'This account has no such wallet.')
}

const refusals = {
  prove: { error: walletErrors.wallet_not_provable, verb: 'proven' },
  suspend: { error: walletErrors.wallet_not_suspendable, verb: 'suspended' },
  resume: { error: walletErrors.wallet_not_resumable, verb: 'resumed' },
  retire: { error: walletErrors.wallet_not_retirable, verb: 'retired' },
  reopen: { error: walletErrors.wallet_not_reopenable, verb: 'reopened' },
} as const

/** Why a wallet cannot be moved so from the state it is in. */
export function refusedMove({ status }: OperatorWalletRow, move: keyof typeof refusals): ApiError {
  const { error, verb } = refusals[move]
  return new ApiError(
    error,
    `The wallet is ${status}; only one that is ${walletMoves[move].from.join(' or ')} can be ${verb}.`,
  )
}
