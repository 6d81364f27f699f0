import type { Static } from 'typebox'
import { filteredCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { NewPaymentRow } from './payment.sql.ts'
import type { UnassignedPayment, unassignedStatuses } from './unassigned-payment.schema.ts'

type Shown = Static<typeof UnassignedPayment>

/** Rows are named as the contract names them; the times are dates, and who paid is sealed. */
export interface UnassignedRow
  extends Omit<
    Shown,
    'received_at' | 'created_at' | 'changed_at' | 'payer_name' | 'payer_iban' | 'text' | 'suggestions'
  > {
  received_at: Date
  created_at: Date
  changed_at: Date
  payer: Buffer
}

export interface UnassignedKey {
  tenantId: string
  paymentId: string
}

type Told = Pick<NewPaymentRow, 'tenantId' | 'provider' | 'reference'>

const columns = sql`
  id, provider, provider_reference, amount::text as amount, currency, received_at, payer, status, order_id,
  dismissal_reason, created_at, changed_at`

/**
 * Whoever else tells of the same money waits until this transaction ends: whether it became a payment or waits for an
 * operator is written in two tables, so that no unique key could keep them apart.
 */
export async function holdReference(tx: Transaction, { tenantId, provider, reference }: Told): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`${tenantId} ${provider} ${reference}`}, 0))`)
}

/** Where this money went when we were told of it before. */
export function findBooked(
  tx: Transaction,
  { tenantId, provider, reference }: Told,
): Promise<{ id: string; orderId: string | null } | undefined> {
  return tx.row(sql`
    select id, "orderId" from (
      select id, order_id as "orderId" from cell.payment
      where tenant_id = ${tenantId} and provider = ${provider} and provider_reference = ${reference}
      union all
      select id, order_id as "orderId" from cell.unassigned_payment
      where tenant_id = ${tenantId} and provider = ${provider} and provider_reference = ${reference}
    ) booked
    limit 1`)
}

/** The orders that have one of these payment references. Two are enough to know that it is not one. */
export function listOrdersNamed(
  tx: Transaction,
  tenantId: string,
  references: readonly string[],
): Promise<{ id: string; currency: string }[]> {
  return tx.rows(sql`
    select id, currency from cell.token_order
    where tenant_id = ${tenantId} and payment_reference = any (${references}::text[])
    order by id limit 2`)
}

export async function insertUnassigned(
  tx: Transaction,
  payment: Omit<NewPaymentRow, 'orderId'> & { payer: Buffer },
): Promise<void> {
  await tx.rows(sql`
    insert into cell.unassigned_payment (tenant_id, id, provider, provider_reference, amount, currency, received_at,
                                         payer)
    values (${payment.tenantId}, ${payment.id}, ${payment.provider}, ${payment.reference}, ${payment.amount},
            ${payment.currency}, ${payment.receivedAt}, ${payment.payer})`)
}

/** As it is now, held until the end of the transaction. */
export function lockUnassigned(
  tx: Transaction,
  { tenantId, paymentId }: UnassignedKey,
): Promise<UnassignedRow | undefined> {
  return tx.row<UnassignedRow>(sql`
    select ${columns} from cell.unassigned_payment where tenant_id = ${tenantId} and id = ${paymentId} for update`)
}

/** What an operator has decided of money whose row is held. */
export async function decideUnassigned(
  tx: Transaction,
  { tenantId, paymentId }: UnassignedKey,
  decision: { status: 'assigned'; orderId: string } | { status: 'dismissed'; reason: string },
): Promise<UnassignedRow> {
  const orderId = decision.status === 'assigned' ? decision.orderId : null
  const reason = decision.status === 'dismissed' ? decision.reason : null
  const decided = await tx.row<UnassignedRow>(sql`
    update cell.unassigned_payment
    set status = ${decision.status}, order_id = ${orderId}, dismissal_reason = ${reason}, changed_at = clock_timestamp()
    where tenant_id = ${tenantId} and id = ${paymentId} and status = 'open'
    returning ${columns}`)
  if (!decided) throw new Error('money changed although its row was held')
  return decided
}

export interface UnassignedFilter {
  status?: (typeof unassignedStatuses)[number] | undefined
}

function matching(tenantId: string, { status }: UnassignedFilter) {
  return sql`tenant_id = ${tenantId} and (${status ?? null}::text is null or status = ${status ?? null})`
}

export async function countUnassigned(tx: Transaction, tenantId: string, filter: UnassignedFilter): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from cell.unassigned_payment where ${matching(tenantId, filter)}`)
  return found?.count ?? 0
}

export function listUnassigned(
  tx: Transaction,
  tenantId: string,
  filter: UnassignedFilter,
  page: Page,
): Promise<UnassignedRow[]> {
  return tx.rows<UnassignedRow>(sql`
    select ${columns} from cell.unassigned_payment where ${matching(tenantId, filter)} ${filteredCut(sql`id`, page)}`)
}

export interface CandidateRow {
  /** Which of the amounts that were asked for, from 1 on. */
  place: number
  orderId: string
  paymentReference: string
  accountName: string
}

/** The newest orders that miss exactly one of these amounts; all are looked for in one pass over the open orders. */
export function listOrdersMissing(
  tx: Transaction,
  tenantId: string,
  wanted: readonly { amount: string; currency: string }[],
): Promise<CandidateRow[]> {
  return tx.rows<CandidateRow>(sql`
    select place::int as place, "orderId", "paymentReference", "accountName" from (
      select wanted.place, token_order.id as "orderId", token_order.payment_reference as "paymentReference",
             account.full_name as "accountName",
             row_number() over (partition by wanted.place order by token_order.id desc) as newness
      from cell.token_order
      join cell.account on account.tenant_id = token_order.tenant_id and account.id = token_order.account_id
      join unnest(${wanted.map(({ amount }) => amount)}::numeric[], ${wanted.map(({ currency }) => currency)}::text[])
        with ordinality as wanted (amount, currency, place)
        on wanted.currency = token_order.currency
          and wanted.amount = token_order.total_amount - token_order.paid_amount
      where token_order.tenant_id = ${tenantId} and token_order.status = 'ORDERED'
    ) candidate
    where newness <= ${candidatesMax}::bigint`)
}

// Among so many orders of the same amount a name decides; of more, the newest are the likeliest.
const candidatesMax = 100
