import { countMax } from '../../../platform/api/declare/keyset-list.ts'
import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { readOne } from '../../../platform/api/declare/read-one.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { selectLastSequence } from '../../../records/events/event.sql.ts'
import { OfferingPath } from '../../offerings/offering.schema.ts'
import { OfferingSums } from '../summary.schema.ts'
import { countHoldingAccounts, findOfferingCurrency, selectOfferingSums } from '../summary.sql.ts'
import { sumsOf, viewMoney, viewOrdersInStatus } from '../summary.view.ts'

export const getOfferingSummary = operatorOperation(
  {
    ...readOne,
    id: 'getOfferingSummary',
    summary: 'Read the sums of an offering',
    description:
      'Orders by status with their units and totals, the money received, owed and paid back, and the number of ' +
      'holders. The sums follow the events: an order that was created just now is counted about 50 ms later.',
    tag: 'Offerings',
    path: '/offerings/:offeringId/summary',
    duty: 'read',
    params: OfferingPath,
    success: { status: 200, body: OfferingSums },
  },
  async ({ params }, { tenantId, tx }) => {
    const key = { tenantId, ...params }
    const [offering, rows, lastSequence, holders] = await tx.batch(
      (tx) => findOfferingCurrency(tx, key),
      (tx) => selectOfferingSums(tx, key),
      (tx) => selectLastSequence(tx, tenantId),
      (tx) => countHoldingAccounts(tx, key),
    )
    if (!offering) throw new ApiError(requestErrors.not_found, 'There is no such offering.')
    const { currency } = offering
    const sumOf = sumsOf(rows)
    return {
      offering_id: params.offeringId,
      currency,
      last_sequence: lastSequence,
      orders: viewOrdersInStatus(sumOf, currency),
      money: viewMoney(sumOf, currency),
      holders: { count: Math.min(holders, countMax), is_count_exact: holders <= countMax },
    }
  },
)
