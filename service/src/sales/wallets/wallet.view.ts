import type { Static } from 'typebox'
import type { Wallet } from './wallet.schema.ts'
import type { WalletSummaryRow } from './wallet.sql.ts'

export function viewWallet({ publicAddress, ...row }: WalletSummaryRow): Static<typeof Wallet> {
  return { ...row, public_address: publicAddress }
}
