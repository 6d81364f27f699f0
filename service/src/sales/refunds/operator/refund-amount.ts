import type { Amount } from '../../../platform/api/declare/approval.ts'
import type { OperatorContext } from '../../../platform/api/declare/operation.ts'
import { minorUnitsOf } from '../../../platform/base/money.ts'
import { findRefund } from '../refund.sql.ts'

/** Returns the amount of a refund that a second person decides about. */
export async function refundAmount(
  { params: { refundId } }: { readonly params: { readonly refundId: string } },
  { tenantId, tx }: Pick<OperatorContext, 'tenantId' | 'tx'>,
): Promise<Amount | undefined> {
  const refund = await findRefund(tx, { tenantId, refundId })
  return refund && { minor: minorUnitsOf(refund.amount, refund.currency), currency: refund.currency }
}
