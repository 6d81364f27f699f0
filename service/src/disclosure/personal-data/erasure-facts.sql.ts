import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { AccountKey } from '../../sales/accounts/account.sql.ts'

/** Facts that decide whether the personal data of an account may be erased. */
export interface ErasureFacts {
  hadOrders: boolean
  openOrders: number
  unsettledRefunds: number
  unpaidEntitlements: number
  holdings: number
  usedWallets: number
  /** The end of the retention period; null if the account never had an order. */
  keptUntil: Date | null
}

export async function findErasureFacts(tx: Transaction, { tenantId, accountId }: AccountKey): Promise<ErasureFacts> {
  const found = await tx.row<ErasureFacts>(sql`
    with orders as materialized (
      select id, status, greatest(created_at, paid_at, cancelled_at) as at from cell.token_order
      where tenant_id = ${tenantId} and account_id = ${accountId}
    ), refunds as materialized (
      select refund.status, refund.changed_at as at from cell.refund join orders on orders.id = refund.order_id
      where refund.tenant_id = ${tenantId}
    ), entitlements as materialized (
      -- Entitlements of a cancelled distribution are void, and so are those of a draft until it is calculated again.
      select entitlement.status, entitlement.changed_at as at from cell.entitlement
      join cell.distribution on distribution.tenant_id = entitlement.tenant_id
        and distribution.id = entitlement.distribution_id
      where entitlement.tenant_id = ${tenantId} and entitlement.account_id = ${accountId}
        and distribution.status not in ('DRAFT', 'CANCELLED')
    ), last as (
      select max(at) as at from (
        select at from orders
        union all select at from refunds
        union all select greatest(payment.received_at, payment.created_at, payment.reversed_at)
          from cell.payment join orders on orders.id = payment.order_id where payment.tenant_id = ${tenantId}
        union all select at from entitlements
        union all select block_timestamp from cell.token_transaction
          where tenant_id = ${tenantId} and account_id = ${accountId}
      ) business
    )
    select exists (select from orders) as "hadOrders",
           (select count(*)::int from orders where status in ('ORDERED', 'PAID', 'READYTOMINT', 'MINTING'))
             as "openOrders",
           (select count(*)::int from refunds where status in ('due', 'sent', 'failed')) as "unsettledRefunds",
           (select count(*)::int from entitlements where status in ('due', 'sent', 'returned'))
             as "unpaidEntitlements",
           (select count(*)::int from cell.wallet_balance
            where tenant_id = ${tenantId} and account_id = ${accountId} and balance > 0) as holdings,
           (select count(*)::int from cell.wallet
            where tenant_id = ${tenantId} and account_id = ${accountId}
              and status in ('ACTIVE', 'SUSPENDED', 'PENDING')) as "usedWallets",
           (select last.at + make_interval(years => retention_years) from cell.tenant_settings, last
            where tenant_id = ${tenantId}) as "keptUntil"`)
  if (!found) throw new Error('a query without a from clause returned no row')
  return found
}
