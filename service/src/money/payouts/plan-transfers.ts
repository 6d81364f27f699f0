import type { Vault } from '../../platform/db/vault.ts'
import { openBankAccount } from '../../sales/accounts/account.view.ts'
import type { PayableRefund } from './payout.sql.ts'
import { type CreditTransfer, type LeftOut, transferOf } from './transfer.ts'

export interface Plan {
  readonly transfers: readonly CreditTransfer[]
  /** What a file cannot carry, and why. */
  readonly leftOut: readonly (LeftOut & { refundId: string })[]
}

/** How these refunds go back to the accounts that their investors have now. */
export async function planTransfers(refunds: readonly PayableRefund[], vault: Vault): Promise<Plan> {
  const planned = await Promise.all(
    refunds.map(async (refund) => {
      const to = await openBankAccount({ id: refund.accountId, bankAccount: refund.bankAccount }, vault)
      const outcome = transferOf(refund, refund.collectionAccount, to)
      return 'refundId' in outcome ? outcome : { ...outcome, leftOutId: refund.id }
    }),
  )
  return {
    transfers: planned.filter((one) => 'refundId' in one),
    leftOut: planned.flatMap((one) =>
      'leftOutId' in one ? [{ refundId: one.leftOutId, reason: one.reason, message: one.message }] : [],
    ),
  }
}
