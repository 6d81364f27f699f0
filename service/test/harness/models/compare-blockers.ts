import assert from 'node:assert/strict'
import { blockerCodes, blockersOf } from '../../../src/sales/orders/blockers.ts'
import { selectOrders } from '../../../src/sales/orders/operator/listed-order.sql.ts'
import type { DirectOperations } from '../callers/operations.ts'

/**
 * Compares the orders that the list finds by each blocker with the blockers that blockers.ts computes for each order,
 * and the stored missing amount with the amounts. The tenant must have at most 100 orders.
 */
export async function compareBlockers(direct: DirectOperations): Promise<void> {
  const { tenantId } = direct
  const page = { limit: 100, direction: 'asc', sort: 'created_at', after: undefined } as const
  await direct.write(async (tx) => {
    const orders = await selectOrders(tx, tenantId, {}, page)
    const expected = Object.fromEntries(
      blockerCodes.map((code) => [
        code,
        orders.filter((order) => blockersOf(order).some((blocker) => blocker.code === code)).map(({ id }) => id),
      ]),
    )
    const listed = await Promise.all(
      blockerCodes.map(async (code) => {
        const found = await selectOrders(tx, tenantId, { blocker: code }, page)
        return [code, found.map(({ id }) => id)] as const
      }),
    )
    assert.deepEqual(Object.fromEntries(listed), expected)
    for (const { status, totalAmount, paidAmount, missing } of orders)
      assert.equal(missing.minor, status === 'ORDERED' ? totalAmount.minus(paidAmount).minor : 0n)
  })
}
