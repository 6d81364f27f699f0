import type { OperatorContext } from '../../../platform/api/declare/operation.ts'
import type { Money } from '../../../platform/base/money.ts'
import { findRefund } from '../refund.sql.ts'

/** Returns the amount of a refund that a second person decides about. */
export async function refundAmount(
  { params: { refundId } }: { readonly params: { readonly refundId: string } },
  { tenantId, tx }: Pick<OperatorContext, 'tenantId' | 'tx'>,
): Promise<Money | undefined> {
  return (await findRefund(tx, { tenantId, refundId }))?.amount
}
