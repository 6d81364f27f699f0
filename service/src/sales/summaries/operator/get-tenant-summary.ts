import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { selectLastSequence } from '../../../records/events/event.sql.ts'
import { offeringStatuses } from '../../offerings/operator/operator-offering.schema.ts'
import { TenantSums } from '../summary.schema.ts'
import { countOfferingsByStatus, selectTenantSums } from '../summary.sql.ts'
import { sumsOf, viewMoney, viewOrdersInStatus } from '../summary.view.ts'

export const getTenantSummary = operatorOperation(
  {
    id: 'getTenantSummary',
    summary: 'Read the sums of all offerings',
    description:
      'Offerings by status; for each currency the orders by status, and the money received, owed and paid back. Like ' +
      'the sums of one offering, they follow the events.',
    tag: 'Offerings',
    method: 'GET',
    path: '/summary',
    duty: 'read',
    idempotency: 'none',
    success: { status: 200, body: TenantSums },
    errors: [],
  },
  async (_input, { tenantId, tx }) => {
    const [counts, rows, lastSequence] = await tx.batch(
      (tx) => countOfferingsByStatus(tx, tenantId),
      (tx) => selectTenantSums(tx, tenantId),
      (tx) => selectLastSequence(tx, tenantId),
    )
    const countOf = new Map(counts.map(({ status, count }) => [status, count]))
    return {
      last_sequence: lastSequence,
      offerings: offeringStatuses.map((status) => ({ status, count: countOf.get(status) ?? 0 })),
      currencies: [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, ofCurrency]) => {
        const sumOf = sumsOf(ofCurrency)
        // Units of different tokens have no common sum.
        const orders = viewOrdersInStatus(sumOf, currency).map(({ units: _units, ...order }) => order)
        return { currency, orders, money: viewMoney(sumOf, currency) }
      }),
    }
  },
)
