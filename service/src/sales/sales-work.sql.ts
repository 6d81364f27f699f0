import { sql } from '../platform/postgres/sql.ts'
import type { WorkKind, WorkSource } from '../records/work/work-kind.ts'
import { joinAccount } from './orders/order.sql.ts'

const dueSoonDays = 3
const settlementDays = 5

const account: WorkSource = {
  database: 'cell',
  from: sql`cell.account`,
  where: ({ tenantId }) => sql`account.tenant_id = ${tenantId} and account.pending_since is not null`,
  id: sql`account.id`,
  since: { column: sql`account.pending_since`, type: 'timestamptz' },
  name: sql`account.full_name`,
  target: 'account',
}

const kycCheck: WorkSource = {
  database: 'cell',
  from: sql`cell.kyc_check`,
  where: ({ tenantId }) => sql`kyc_check.tenant_id = ${tenantId} and kyc_check.status = 'queued'`,
  id: sql`kyc_check.id`,
  since: { column: sql`kyc_check.received_at`, type: 'timestamptz' },
  name: sql`account.full_name`,
  nameJoin: sql`
    join cell.account on account.tenant_id = kyc_check.tenant_id and account.id = kyc_check.account_id`,
  target: 'account',
  targetId: sql`kyc_check.account_id`,
}

const order = {
  database: 'cell',
  from: sql`cell.token_order`,
  id: sql`token_order.id`,
  offering: sql`token_order.offering_id`,
  currency: sql`token_order.currency`,
  name: sql`account.full_name`,
  nameJoin: joinAccount,
  target: 'order',
} satisfies Partial<WorkSource>

const joinOrder = sql`
  join cell.token_order on token_order.tenant_id = refund.tenant_id and token_order.id = refund.order_id`

const refund = {
  database: 'cell',
  from: sql`cell.refund`,
  id: sql`refund.id`,
  amount: sql`refund.amount`,
  currency: sql`refund.currency`,
  name: sql`account.full_name`,
  nameJoin: sql`${joinOrder} ${joinAccount}`,
  target: 'refund',
} satisfies Partial<WorkSource>

/** Work of the room sales: accounts to decide, orders and refunds that need an operator. */
export const salesWork: readonly WorkKind[] = [
  {
    kind: 'approval_pending',
    description: 'accounts whose `kyc` or `kyb` is PENDING, until it is decided',
    duty: 'compliance',
    sources: [account],
  },
  {
    kind: 'kyc_check_queued',
    description: 'results of KYC providers that wait for an operator, until they are accepted or dismissed',
    duty: 'compliance',
    sources: [kycCheck],
  },
  {
    kind: 'order_to_accept',
    description: 'paid orders of offerings with `acceptance_required`, until they are accepted or cancelled',
    duty: 'offerings',
    sources: [
      {
        ...order,
        where: ({ tenantId }) => sql`
          token_order.tenant_id = ${tenantId} and token_order.status = 'PAID' and token_order.acceptance_required
          and token_order.accepted_at is null`,
        since: { column: sql`token_order.paid_at`, type: 'timestamptz' },
        amount: sql`token_order.total_amount`,
      },
    ],
  },
  {
    kind: 'order_on_hold',
    description: 'orders whose mint was rejected, until they are released',
    duty: 'settlement',
    sources: [
      {
        ...order,
        where: ({ tenantId }) => sql`
          token_order.tenant_id = ${tenantId} and token_order.status = 'READYTOMINT'
          and token_order.mint_hold_reason is not null`,
        since: { column: sql`token_order.created_at`, type: 'timestamptz' },
        amount: sql`token_order.total_amount`,
      },
    ],
  },
  {
    kind: 'late_payment',
    description: 'money that arrived after the deadline of its order, until it is accepted or paid back',
    duty: 'money',
    sources: [
      {
        ...refund,
        from: sql`cell.refund ${joinOrder}`,
        nameJoin: joinAccount,
        where: ({ tenantId }) => sql`
          refund.tenant_id = ${tenantId} and refund.status = 'due' and refund.reason = 'late'
          and token_order.status = 'NOPAYMENT'`,
        since: { column: sql`refund.created_at`, type: 'timestamptz' },
        target: 'order',
        targetId: sql`refund.order_id`,
      },
    ],
  },
  {
    kind: 'part_paid_due_soon',
    description: `part-paid orders whose payment is due within ${dueSoonDays} days; the amount is what is missing`,
    duty: 'offerings',
    sources: [
      {
        ...order,
        where: ({ tenantId, now }) => sql`
          token_order.tenant_id = ${tenantId} and token_order.status = 'ORDERED' and token_order.paid_amount > 0
          and token_order.payment_due_at < ${inDays(now, dueSoonDays)}::timestamptz`,
        since: { column: sql`token_order.payment_due_at`, type: 'timestamptz' },
        amount: sql`token_order.total_amount - token_order.paid_amount`,
      },
    ],
  },
  {
    kind: 'refund_due',
    description: 'refunds that are in no open payout, until they are sent',
    duty: 'money',
    sources: [
      {
        ...refund,
        where: ({ tenantId }) => sql`
          refund.tenant_id = ${tenantId} and refund.status = 'due'
          and not exists (
            select from cell.payout_refund
            where payout_refund.tenant_id = ${tenantId} and payout_refund.refund_id = refund.id
              and payout_refund.is_open
          )`,
        since: { column: sql`refund.created_at`, type: 'timestamptz' },
      },
    ],
  },
  {
    kind: 'refund_failed',
    description: 'refunds that the bank returned, until they are retried',
    duty: 'money',
    sources: [
      {
        ...refund,
        where: ({ tenantId }) => sql`refund.tenant_id = ${tenantId} and refund.status = 'failed'`,
        since: { column: sql`refund.changed_at`, type: 'timestamptz' },
      },
    ],
  },
  {
    kind: 'refund_unsettled',
    description: `refunds sent more than ${settlementDays} days ago, in a payout or by hand, that no statement settles`,
    duty: 'money',
    sources: [
      {
        ...refund,
        where: ({ tenantId, now }) => sql`
          refund.tenant_id = ${tenantId} and refund.status = 'sent'
          and refund.changed_at < ${inDays(now, -settlementDays)}::timestamptz`,
        since: { column: sql`refund.changed_at`, type: 'timestamptz' },
      },
    ],
  },
]

function inDays(now: Date, days: number): Date {
  return new Date(now.getTime() + days * 86_400_000)
}
