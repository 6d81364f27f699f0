import {
  allOf,
  boundedCount,
  type CreatedRange,
  isCreatedWithin,
  isEqual,
  isOneOf,
  keysetCut,
  pageCondition,
  type SortKey,
} from '../../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage, KeysetRow } from '../../../platform/api/declare/keyset-list.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import type { Transaction } from '../../../platform/postgres/transaction.ts'
import { canBeBlocked, isStored, type StoredBlocker } from '../../blockers/order-blocker.sql.ts'
import { type BlockerCode, blockerRules } from '../blockers.ts'
import { joinAccount, joinOffering } from '../order.sql.ts'
import { type AccountFacts, accountFactColumns } from '../order-transition.sql.ts'
import { type OperatorOrderRow, operatorOrderColumns, readOperatorOrderAmounts } from './operator-order.sql.ts'

/** Query parameters of the API. */
export interface OrderFilter extends CreatedRange {
  status?: readonly string[] | undefined
  blocker?: BlockerCode | undefined
  offering_id?: string | undefined
  account_id?: string | undefined
  payment_reference?: string | undefined
  total_from?: number | undefined
  total_to?: number | undefined
}

/** Ids sort by time, so a list by `created_at` needs no key. */
const sortKeys: Readonly<Record<string, SortKey>> = {
  total_amount: { column: sql`token_order.total_minor`, type: 'bigint' },
  missing_amount: { column: sql`token_order.missing_minor`, type: 'bigint' },
  payment_due_at: { column: sql`token_order.payment_due_at`, type: 'timestamptz' },
}

/** Status of the orders to which the rules of a stage apply. Those of payment are conditions on it. */
const isInStage = { payment: undefined, precondition: canBeBlocked, mint: sql`token_order.status = 'READYTOMINT'` }

/** Returns the condition of a blocker without rows. Does not compile if its rule has none. */
function isBlockedBy(code: Exclude<BlockerCode, StoredBlocker>): Sql {
  const { stage, listed } = blockerRules[code]
  return allOf([isInStage[stage], listed])
}

/** Returns the tables of a list, and every condition of its filter except the status. */
function matching(tenantId: string, filter: OrderFilter): { id: Sql; from: Sql; where: Sql } {
  const { blocker, total_from: totalFrom, total_to: totalTo } = filter
  const where = allOf([
    sql`token_order.tenant_id = ${tenantId}`,
    isStored(blocker)
      ? sql`order_blocker.tenant_id = ${tenantId} and order_blocker.code = ${blocker} and ${canBeBlocked}`
      : blocker && isBlockedBy(blocker),
    isEqual(sql`token_order.offering_id`, filter.offering_id),
    isEqual(sql`token_order.account_id`, filter.account_id),
    isEqual(sql`token_order.payment_reference`, filter.payment_reference),
    totalFrom === undefined ? undefined : sql`token_order.total_minor >= ${totalFrom}::bigint`,
    totalTo === undefined ? undefined : sql`token_order.total_minor <= ${totalTo}::bigint`,
    isCreatedWithin(sql`token_order.id`, sql`token_order.created_at`, filter),
  ])
  if (!isStored(blocker)) return { id: sql`token_order.id`, from: sql`cell.token_order`, where }
  const from = sql`
    cell.order_blocker join cell.token_order
      on token_order.tenant_id = order_blocker.tenant_id and token_order.id = order_blocker.order_id`
  return { id: sql`order_blocker.order_id`, from, where }
}

const itsStatus = sql`token_order.status`

/** Limit for counting blocked orders: looking each up takes longer than reading an index. */
const blockedCountMax = 2_000

export async function countOrders(
  tx: Transaction,
  tenantId: string,
  filter: OrderFilter,
): Promise<{ count: number; isCountExact: boolean }> {
  const { from, where: others } = matching(tenantId, filter)
  const where = allOf([others, isOneOf(itsStatus, filter.status)])
  if (!isStored(filter.blocker))
    return { count: await boundedCount(tx, sql`from ${from} where ${where}`), isCountExact: true }
  // `offset 0` makes PostgreSQL look up each row that is counted. Otherwise it would join all orders that can be
  // blocked, which took two seconds for ten million.
  const count = await boundedCount(
    tx,
    sql`from cell.order_blocker
        where order_blocker.tenant_id = ${tenantId} and order_blocker.code = ${filter.blocker} and exists (
          select from cell.token_order where token_order.id = order_blocker.order_id and ${where} offset 0)`,
    blockedCountMax,
  )
  return { count: Math.min(count, blockedCountMax), isCountExact: count <= blockedCountMax }
}

/** A listed order, with the facts that its blockers depend on. */
export type ListedOrderRow = OperatorOrderRow & AccountFacts & KeysetRow

export function selectOrders(
  tx: Transaction,
  tenantId: string,
  filter: OrderFilter,
  page: KeysetPage,
): Promise<ListedOrderRow[]> {
  const { id, from, where: others } = matching(tenantId, filter)
  const cut = keysetCut(id, page, sortKeys)
  const where = pageCondition(others, { id, from, column: itsStatus, values: filter.status, cut })
  return tx
    .rows<ListedOrderRow>(sql`
    select ${operatorOrderColumns}, ${accountFactColumns}, ${cut.column}
    from ${from} ${joinAccount} ${joinOffering} where ${where} ${cut.orderBy}`)
    .then(readOperatorOrderAmounts)
}
