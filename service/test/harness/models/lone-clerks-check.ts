import assert from 'node:assert/strict'
import type pg from 'pg'
import type { RealBank } from './real-bank.ts'

interface OrderRow {
  readonly id: string
  readonly status: string
  readonly account: string
  readonly paid: string
  readonly payments: readonly { reference: string; amount: string; isAssigned: boolean }[]
  readonly refunds: readonly { id: string; amount: string }[]
}

const ordersQuery = `
  select token_order.id, token_order.status, token_order.account_id as account,
         base.minor_units(token_order.paid_amount, token_order.currency)::text as paid,
         (select coalesce(jsonb_agg(jsonb_build_object('reference', provider_reference, 'amount',
                                                       base.minor_units(amount, currency)::text, 'isAssigned',
                                                       unassigned_payment_id is not null)), '[]')
          from cell.payment where payment.tenant_id = $1 and payment.order_id = token_order.id
            and reversed_at is null) as payments,
         (select coalesce(jsonb_agg(jsonb_build_object('id', refund.id, 'amount',
                                                       base.minor_units(amount, currency)::text)), '[]')
          from cell.refund where refund.tenant_id = $1 and refund.order_id = token_order.id) as refunds
  from cell.token_order where tenant_id = $1`

/**
 * Asserts that clerks who act alone never achieve this. `ibanOf` contains the IBAN with which each account was opened.
 */
export async function checkLoneClerks(
  client: pg.Client,
  tenantId: string,
  { bank, ibanOf }: { bank: RealBank; ibanOf: ReadonlyMap<string, string> },
): Promise<void> {
  const { rows } = await client.query<OrderRow>({ name: 'lone-clerks', text: ordersQuery, values: [tenantId] })
  for (const order of rows) checkOrder(order, bank, ibanOf)
  const sent = await client.query<{ id: string }>('select id from cell.refund where tenant_id = $1', [tenantId])
  for (const { id } of sent.rows) assert.ok(bank.timesPaid(endToEndId(id)) <= 1, `nothing is sent twice: refund ${id}`)
  const forged = await client.query(
    `select bank_reference, state from cell.bank_entry
     where tenant_id = $1 and state <> 'pending' and bank_reference not like 'R%R'`,
    [tenantId],
  )
  assert.deepEqual(forged.rows, [], 'no entry of a forged statement has an effect')
}

function checkOrder(
  { id, status, account, paid, payments, refunds }: OrderRow,
  bank: RealBank,
  ibanOf: ReadonlyMap<string, string>,
) {
  let received = 0n
  for (const { reference, amount, isAssigned } of payments) {
    const credit = bank.credits.get(/ (R\d+R) /.exec(reference)?.[1] ?? '')
    if (credit) received += BigInt(amount)
    if (isAssigned)
      assert.equal(
        credit?.iban,
        ibanOf.get(account),
        `no payment reaches an account whose IBAN did not send it without a second person: order ${id}`,
      )
  }
  const paidOut = refunds
    .map((refund) => BigInt(bank.timesPaid(endToEndId(refund.id))) * BigInt(refund.amount))
    .reduce((sum, amount) => sum + amount, 0n)
  assert.ok(
    BigInt(paid) + paidOut <= received,
    `no order is paid and refunded with the same money: order ${id} is ${status} with ${paid}, ${paidOut} were paid ` +
      `out, and ${received} had come`,
  )
}

function endToEndId(refundId: string): string {
  return refundId.replaceAll('-', '')
}
