import { findTenantSettings } from '../../access/settings/tenant-settings.sql.ts'
import type { TenantContext } from '../../platform/api/declare/operation.ts'
import type { Vault } from '../../platform/postgres/vault.ts'
import { chooseCreditor } from './choose-creditor.ts'
import {
  type CreditorSource,
  type PayableRefund,
  selectRefundedPayments,
  type TransferRow,
} from './payout-transfer.sql.ts'
import { openCreditor } from './sealed-creditor.ts'
import { type CreditTransfer, type LeftOut, transferOf } from './transfer.ts'

type LeftOutRefund = LeftOut & { readonly refundId: string }

export interface TransferPlan {
  readonly transfers: readonly (CreditTransfer & { readonly refundId: string; readonly source: CreditorSource })[]
  /** Refunds that stay due, and why. */
  readonly leftOut: readonly LeftOutRefund[]
}

/** Chooses the creditors of a new payout. */
export async function planTransfers(
  refunds: readonly PayableRefund[],
  { tenantId, tx, vault, now }: Pick<TenantContext, 'tenantId' | 'tx' | 'vault' | 'now'>,
): Promise<TransferPlan> {
  const ids = refunds.map(({ id }) => id)
  const [payments, rules] = await tx.batch(
    (tx) => selectRefundedPayments(tx, tenantId, ids),
    (tx) => findTenantSettings(tx, tenantId),
  )
  const paymentsOf = Map.groupBy(payments, ({ refundId }) => refundId)
  const planned = await Promise.all(
    refunds.map(async (refund) => {
      const chosen = await chooseCreditor(refund, paymentsOf.get(refund.id) ?? [], { vault, now, rules })
      if ('reason' in chosen) return { ...chosen, refundId: refund.id }
      const transfer = transferOf(refund, refund.collectionAccount, chosen.account)
      return { ...transfer, refundId: refund.id, source: chosen.source }
    }),
  )
  return parted(planned)
}

/** Builds the transfers of a payout to the creditors that were chosen when it was created. */
export async function transfersToFrozenCreditors(
  payoutId: string,
  refunds: readonly TransferRow[],
  vault: Vault,
): Promise<TransferPlan> {
  const planned = await Promise.all(
    refunds.map(async (refund) => {
      const { name, iban, bic } = await openCreditor(vault, { payoutId, refundId: refund.id }, refund.creditor)
      const account = { account_holder: name, iban, bic: bic ?? '' }
      const transfer = transferOf(refund, refund.collectionAccount, account)
      return { ...transfer, refundId: refund.id, source: refund.creditorSource }
    }),
  )
  return parted(planned)
}

type Planned = TransferPlan['transfers'][number] | LeftOutRefund

function parted(planned: readonly Planned[]): TransferPlan {
  return {
    transfers: planned.filter((one) => 'creditor' in one),
    leftOut: planned.filter((one) => 'message' in one),
  }
}
