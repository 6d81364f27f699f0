import type { Money } from '../../platform/base/money.ts'
import { raw, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'

export interface CandidateRow {
  /** Position of the amount in the `amounts` argument, counted from 1. */
  position: number
  orderId: string
  paymentReference: string
  accountName: string
}

/**
 * Selects the newest orders on which exactly one of these amounts is outstanding: for each amount, a short scan of the
 * index of missing amounts from its end. A popular amount may be outstanding on a hundred thousand orders. A bank may
 * report fractions of a minor unit, which match no order: null equals nothing.
 */
export function selectOrdersByMissingAmount(tx: Transaction, tenantId: string, amounts: readonly Money[]) {
  return tx.rows<CandidateRow>(sql`
    select wanted.position::int as position, candidate.id as "orderId",
           candidate.payment_reference as "paymentReference", account.full_name as "accountName"
    from unnest(${amounts.map((amount) => (amount.isWhole ? String(amount.minor) : null))}::bigint[],
                ${amounts.map(({ currency }) => currency)}::text[])
      with ordinality as wanted (missing, currency, position)
    cross join lateral (
      select token_order.id, token_order.account_id, token_order.payment_reference
      from cell.token_order
      where token_order.tenant_id = ${tenantId} and token_order.missing_minor = wanted.missing
        and token_order.status = 'ORDERED' and token_order.currency = wanted.currency
      order by token_order.id desc limit ${raw(String(candidatesMax))}
    ) candidate
    join cell.account on account.tenant_id = ${tenantId} and account.id = candidate.account_id`)
}

// Maximum per amount. Name similarity ranks them; among more orders of the same amount, the newest are the most likely.
const candidatesMax = 100
