import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { AccountType } from '../accounts/account.sql.ts'
import type { paymentProviders } from './order.schema.ts'
import type { OrderStatus } from './order-status.ts'

export interface OrderId {
  tenantId: string
  orderId: string
}

/** An order as its life goes: what changes, what decides, and what its offering says of it. */
export interface LivingOrder {
  tenantId: string
  id: string
  offeringId: string
  accountId: string
  status: OrderStatus
  units: string
  totalAmount: string
  paidAmount: string
  currency: string
  paidAt: Date | null
  cancelledAt: Date | null
  paymentDueAt: Date
  acceptedAt: Date | null
  mintWalletId: string | null
  toldBlockers: string[]
  mintOpId: string | null
  mintFailures: number
  /** Why it waits for a person although it is ready. */
  heldReason: string | null
  paymentTolerance: string
  acceptanceRequired: boolean
  blockchain: string
  isTokenMissing: boolean
  mintingStopped: string | null
}

export const livingColumns: Sql = sql`
  token_order.tenant_id as "tenantId", token_order.id, token_order.offering_id as "offeringId",
  token_order.account_id as "accountId", token_order.status, token_order.units::text as units,
  token_order.total_amount::text as "totalAmount", token_order.paid_amount::text as "paidAmount",
  token_order.currency, token_order.paid_at as "paidAt", token_order.cancelled_at as "cancelledAt",
  token_order.payment_due_at as "paymentDueAt", token_order.accepted_at as "acceptedAt",
  token_order.mint_wallet_id as "mintWalletId", token_order.told_blockers as "toldBlockers",
  token_order.mint_op_id as "mintOpId", token_order.mint_failures as "mintFailures",
  token_order.held_reason as "heldReason",
  offering.payment_tolerance::text as "paymentTolerance", offering.acceptance_required as "acceptanceRequired",
  offering.blockchain, offering.token_deployed_at is null as "isTokenMissing",
  offering.minting_stopped as "mintingStopped"`

/** The order as it is now, held until the end of the transaction. With an offering, only where it is that one's. */
export function lockOrder(
  tx: Transaction,
  { tenantId, orderId, offeringId = null }: OrderId & { offeringId?: string | null },
): Promise<LivingOrder | undefined> {
  return tx.row<LivingOrder>(sql`
    select ${livingColumns}
    from cell.token_order
    join cell.offering on offering.tenant_id = token_order.tenant_id and offering.id = token_order.offering_id
    where token_order.tenant_id = ${tenantId} and token_order.id = ${orderId}
      and (${offeringId}::uuid is null or token_order.offering_id = ${offeringId})
    for no key update of token_order`)
}

/**
 * Writes what has changed of an order whose row is held: a compare-and-set, so that even a caller who holds nothing
 * cannot overwrite another's step. False where the order is no longer in the state it was.
 */
export async function updateOrder(tx: Transaction, from: OrderStatus, order: LivingOrder): Promise<boolean> {
  const updated = await tx.row(sql`
    update cell.token_order
    set status = ${order.status}, paid_amount = ${order.paidAmount}, paid_at = ${order.paidAt},
        cancelled_at = ${order.cancelledAt}, payment_due_at = ${order.paymentDueAt}, accepted_at = ${order.acceptedAt},
        mint_wallet_id = ${order.mintWalletId}, told_blockers = ${order.toldBlockers}, mint_op_id = ${order.mintOpId},
        mint_failures = ${order.mintFailures}, held_reason = ${order.heldReason}
    where tenant_id = ${order.tenantId} and id = ${order.id} and status = ${from}
    returning id`)
  return updated !== undefined
}

/** Whose payment the order shows; the row must be held. */
export async function setPaymentProvider(
  tx: Transaction,
  { tenantId, id }: LivingOrder,
  provider: (typeof paymentProviders)[number],
): Promise<void> {
  await tx.rows(sql`
    update cell.token_order set payment_provider = ${provider} where tenant_id = ${tenantId} and id = ${id}`)
}

const supply: Record<'reserve' | 'release' | 'issue', (units: string) => Sql> = {
  reserve: (units) => sql`reserved_units = reserved_units + ${units}::numeric`,
  release: (units) => sql`reserved_units = reserved_units - ${units}::numeric`,
  issue: (units) => sql`
    reserved_units = reserved_units - ${units}::numeric, issued_units = issued_units + ${units}::numeric`,
}

/**
 * Moves the units of an order in the offering's supply. False where they are to be reserved and are no longer there, or
 * the offering is not open: what the wait for its row may have changed is looked at under the lock.
 */
export async function moveUnits(
  tx: Transaction,
  { tenantId, offeringId, units }: LivingOrder,
  effect: 'reserve' | 'release' | 'issue',
): Promise<boolean> {
  const isThere =
    effect === 'reserve'
      ? sql`status = 'OPEN' and reserved_units + issued_units + ${units}::numeric <= total_units`
      : sql`true`
  const moved = await tx.row(sql`
    update cell.offering set ${supply[effect](units)}
    where tenant_id = ${tenantId} and id = ${offeringId} and ${isThere}
    returning id`)
  return moved !== undefined
}

/** What the account of an order brings along for its gates. */
export interface AccountFacts {
  accountType: AccountType
  approval: string
  benefitingPersonCount: number
  /** The oldest wallet that can receive on the chain, or the one that is fixed already, if it still can. */
  walletId: string | null
}

export async function findAccountFacts(
  tx: Transaction,
  { tenantId, accountId, blockchain, mintWalletId }: LivingOrder,
): Promise<AccountFacts> {
  const facts = await tx.row<AccountFacts>(sql`
    select account.type as "accountType", account.benefiting_person_count as "benefitingPersonCount",
           case account.type when 'COMPANY' then account.kyb_status else account.kyc_status end as approval,
           (select wallet.id from cell.wallet
            where wallet.tenant_id = ${tenantId} and wallet.account_id = account.id and wallet.status = 'ACTIVE'
              and wallet.blockchain = ${blockchain}
            order by wallet.id is not distinct from ${mintWalletId}::uuid desc, wallet.position limit 1) as "walletId"
    from cell.account where account.tenant_id = ${tenantId} and account.id = ${accountId}`)
  if (!facts) throw new Error('an order has no account')
  return facts
}

/** The orders of an account that wait for or have passed their gates, or cost nothing, behind this id. */
export async function listGatedOrders(
  tx: Transaction,
  { tenantId, accountId, after, limit }: { tenantId: string; accountId: string; after: string; limit: number },
): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`
    select id from cell.token_order
    where tenant_id = ${tenantId} and account_id = ${accountId} and id > ${after}::uuid
      and (status in ('PAID', 'READYTOMINT') or (status = 'ORDERED' and total_amount = 0))
    order by id limit ${limit}::bigint`)
  return rows.map(({ id }) => id)
}
