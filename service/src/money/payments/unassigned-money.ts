import type { Static } from 'typebox'
import type { TenantContext } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { paymentErrors } from './payment.errors.ts'
import type { UnassignedPayment } from './unassigned-payment.schema.ts'
import { lockUnassigned, type UnassignedRow } from './unassigned-payment.sql.ts'
import { viewUnassigned } from './unassigned-payment.view.ts'

type Context = Pick<TenantContext, 'tenantId' | 'tx' | 'vault' | 'audit'>

/**
 * Money that an operator decides about, held until the end of the transaction. One that was decided in the same way
 * before is told as it is, with word that nothing changes; otherwise it must be open.
 */
export async function lockOpenUnassigned(
  { tenantId, tx, audit }: Context,
  paymentId: string,
  decision: { status: 'assigned'; orderId: string } | { status: 'dismissed' },
): Promise<UnassignedRow> {
  const money = await lockUnassigned(tx, { tenantId, paymentId })
  if (!money) throw new ApiError(requestErrors.not_found, 'There is no such money.')
  if (money.status === 'open') return money
  const isSameOrder = decision.status === 'dismissed' || money.order_id === decision.orderId
  if (money.status !== decision.status || !isSameOrder)
    throw new ApiError(
      paymentErrors.unassigned_payment_not_open,
      money.status === 'assigned'
        ? `The money was given to order ${money.order_id}.`
        : 'The money was dismissed, with a reason.',
    )
  audit('nothing changed')
  return money
}

export async function oneUnassigned(context: Context, row: UnassignedRow): Promise<Static<typeof UnassignedPayment>> {
  const [shown] = await viewUnassigned(context, [row])
  if (!shown) throw new Error('money is lost on its way to the answer')
  return shown
}
