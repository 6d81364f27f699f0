import type pg from 'pg'
import { systemClock } from '../base/clock.ts'
import type { Logger } from '../base/log.ts'
import { type Repetition, repeat } from '../base/repeat.ts'
import { inTenantTransaction, type TenantDatabases } from '../db/tenant-transaction.ts'
import { listDueOrders } from './due-orders.sql.ts'
import { moveOrder } from './move-order.ts'
import { lockOrder, type OrderId } from './order-life.sql.ts'

const pauseMs = 1_000
// What is left of a larger crowd is found a second later.
const batchMax = 500

interface ExpiryContext extends TenantDatabases {
  readonly log: Logger
}

/**
 * Looks, in one cell, for orders that were not paid in time. Found over all tenants with the worker's narrow view, then
 * each is changed in a transaction of its tenant. Any number of workers may.
 */
export function startOrderExpiry(pool: pg.Pool, context: ExpiryContext): Repetition {
  return repeat(pauseMs, async () => {
    try {
      const now = systemClock()
      for (const key of await listDueOrders(pool, now, batchMax)) await expireLogged(context, key, now)
    } catch (error) {
      context.log.warn({ err: error }, 'orders could not be looked through for missing payments; trying again')
    }
  })
}

/** One tenant that cannot be reached does not keep the others waiting. */
async function expireLogged(context: ExpiryContext, key: OrderId, now: Date): Promise<void> {
  try {
    await expireOrder(context, key, now)
  } catch (error) {
    context.log.warn({ err: error, tenant_id: key.tenantId }, 'an order could not be expired; trying again')
  }
}

/** Under the row's lock: money that arrives in the same moment either comes first or comes late. */
export async function expireOrder(databases: TenantDatabases, key: OrderId, now: Date): Promise<void> {
  await inTenantTransaction(databases, { tenantId: key.tenantId, access: 'write' }, async (tx) => {
    const order = await lockOrder(tx, key)
    if (order?.status === 'ORDERED' && order.paymentDueAt <= now) await moveOrder(tx, order, 'NOPAYMENT')
  })
}
