import type { Static } from 'typebox'
import type { Transaction } from '../../platform/db/transaction.ts'
import { nameLikeness } from './name-likeness.ts'
import type { UnassignedPayment } from './unassigned-payment.schema.ts'
import { listOrdersMissing } from './unassigned-payment.sql.ts'

type Suggestions = Static<typeof UnassignedPayment>['suggestions']

const suggestionsMax = 5

/**
 * Which orders money may be meant for: those that miss exactly as much, the likeliest payer first. One question for a
 * whole page. They only inform, since two buyers of the same name and amount are nothing unusual.
 */
export async function suggestOrders(
  tx: Transaction,
  tenantId: string,
  payments: readonly { amount: string; currency: string; payerName: string | null }[],
): Promise<Suggestions[]> {
  if (payments.length === 0) return []
  const candidates = await listOrdersMissing(tx, tenantId, payments)
  return payments.map(({ payerName }, index) =>
    candidates
      .filter(({ place }) => place === index + 1)
      .map((candidate) => ({ ...candidate, likeness: nameLikeness(payerName ?? '', candidate.accountName) }))
      .toSorted((one, other) => other.likeness - one.likeness || (one.orderId < other.orderId ? 1 : -1))
      .slice(0, suggestionsMax)
      .map(({ orderId, paymentReference, accountName, likeness }) => ({
        order_id: orderId,
        payment_reference: paymentReference,
        account_name: accountName,
        why: reasonOf(payerName, likeness),
      })),
  )
}

function reasonOf(payerName: string | null, likeness: number): string {
  const amount = 'Exactly this amount is missing'
  if (payerName === null) return `${amount}; the payer has no name.`
  return likeness === 0
    ? `${amount}; the names have nothing in common.`
    : `${amount}, and the names are ${Math.round(likeness * 100)} % alike.`
}
