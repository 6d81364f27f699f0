import { ApiError } from '../../http/errors.ts'
import { walletMoves } from '../wallet-status.ts'
import type { OperatorWalletRow } from './operator-wallet.sql.ts'

export function noSuchWallet(): ApiError {
  return new ApiError('not_found', 'This account has no such wallet.')
}

const refusals = {
  prove: { code: 'wallet_not_provable', verb: 'proven' },
  suspend: { code: 'wallet_not_suspendable', verb: 'suspended' },
  resume: { code: 'wallet_not_resumable', verb: 'resumed' },
  retire: { code: 'wallet_not_retirable', verb: 'retired' },
  reopen: { code: 'wallet_not_reopenable', verb: 'reopened' },
} as const

/** Why a wallet cannot be moved so from the state it is in. */
export function refusedMove({ status }: OperatorWalletRow, move: keyof typeof refusals): ApiError {
  const { code, verb } = refusals[move]
  return new ApiError(
    code,
    `The wallet is ${status}; only one that is ${walletMoves[move].from.join(' or ')} can be ${verb}.`,
  )
}
