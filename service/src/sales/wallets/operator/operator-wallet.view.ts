import type { Static } from 'typebox'
import { viewOf } from '../../../platform/api/declare/view-of.ts'
import type { WalletWithMessage } from '../add-wallet.ts'
import { type ChallengedWallet, OperatorWallet } from './operator-wallet.schema.ts'

export const viewOperatorWallet = viewOf(OperatorWallet)

export function viewChallengedWallet({ wallet, message }: WalletWithMessage): Static<typeof ChallengedWallet> {
  return { ...viewOperatorWallet(wallet), challenge: message }
}
