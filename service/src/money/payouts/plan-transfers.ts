import type { Vault } from '../../platform/db/vault.ts'
import { decryptBankAccount } from '../../sales/accounts/account.view.ts'
import type { PayableRefund } from './payout.sql.ts'
import { type CreditTransfer, type LeftOut, transferOf } from './transfer.ts'

export interface TransferPlan {
  readonly transfers: readonly CreditTransfer[]
  /** Refunds that a file cannot contain, and why. */
  readonly leftOut: readonly (LeftOut & { refundId: string })[]
}

/** Plans transfers of the refunds to the bank accounts that their investors have now. */
export async function planTransfers(refunds: readonly PayableRefund[], vault: Vault): Promise<TransferPlan> {
  const planned = await Promise.all(
    refunds.map(async (refund) => {
      const to = await decryptBankAccount({ id: refund.accountId, bankAccount: refund.bankAccount }, vault)
      const result = transferOf(refund, refund.collectionAccount, to)
      return 'refundId' in result ? result : { ...result, leftOutId: refund.id }
    }),
  )
  return {
    transfers: planned.filter((one) => 'refundId' in one),
    leftOut: planned.flatMap((one) =>
      'leftOutId' in one ? [{ refundId: one.leftOutId, reason: one.reason, message: one.message }] : [],
    ),
  }
}
