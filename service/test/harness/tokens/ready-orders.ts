import type { SettlementWorld } from './settlement-world.ts'

const units = 100_000_000

/** Inserts orders of one token each as if they had come through the API, were paid and met their mint preconditions. */
export async function insertReadyOrders(
  world: SettlementWorld,
  accounts: readonly string[],
  orders: number,
): Promise<void> {
  const { tenantId, offeringId } = world
  await world.rows(
    `insert into cell.token_order (tenant_id, id, offering_id, account_id, offering_position, account_position, status,
                                   units, price_per_token, total_amount, paid_amount, currency, payment_bank_account,
                                   paid_at, payment_reference, payment_due_at, mint_wallet_id)
     select $1, gen_random_uuid(), $2, buyer.id, offering.order_count + n, account.order_count + n / $4::bigint,
            'READYTOMINT', ${units}, 12.50, 12.50, 12.50, 'EUR', '{}', now(), 'RF' || n, now() + interval '1 day',
            wallet.id
     from generate_series(0, $5::bigint - 1) n
     join unnest($3::uuid[]) with ordinality as buyer (id, position) on buyer.position - 1 = n % $4::bigint
     join cell.offering on offering.tenant_id = $1 and offering.id = $2
     join cell.account on account.tenant_id = $1 and account.id = buyer.id
     join cell.wallet on wallet.tenant_id = $1 and wallet.account_id = buyer.id`,
    [tenantId, offeringId, accounts, accounts.length, orders],
  )
  await world.rows(
    `update cell.offering set order_count = order_count + $2::bigint,
                              reserved_units = reserved_units + $2::numeric * $3::numeric where id = $1`,
    [offeringId, orders, units],
  )
  await world.rows(
    'update cell.account set order_count = order_count + $2 where tenant_id = $1 and id = any($3::uuid[])',
    [tenantId, orders / accounts.length, accounts],
  )
  await world.rows('analyze')
}
