import type { Static } from 'typebox'
import type { Money } from '../../platform/base/money.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { nameSimilarity } from './name-similarity.ts'
import { selectOrdersByMissingAmount } from './orders-by-missing-amount.sql.ts'
import type { UnassignedPayment } from './unassigned-payment.schema.ts'

type Suggestions = Static<typeof UnassignedPayment>['suggestions']

const suggestionsMax = 5

/**
 * Suggests, for each payment, the orders on which exactly its amount is outstanding, with the most similar account name
 * first. One query for the whole page. Nothing is assigned automatically: two buyers with the same name and amount are
 * common.
 */
export async function suggestOrders(
  tx: Transaction,
  tenantId: string,
  payments: readonly { amount: Money; payerName: string | null }[],
): Promise<Suggestions[]> {
  if (payments.length === 0) return []
  const candidates = await selectOrdersByMissingAmount(
    tx,
    tenantId,
    payments.map(({ amount }) => amount),
  )
  return payments.map(({ payerName }, index) =>
    candidates
      .filter(({ position }) => position === index + 1)
      .map((candidate) => ({ ...candidate, similarity: nameSimilarity(payerName ?? '', candidate.accountName) }))
      .toSorted((one, other) => other.similarity - one.similarity || (one.orderId < other.orderId ? 1 : -1))
      .slice(0, suggestionsMax)
      .map(({ orderId, paymentReference, accountName, similarity }) => ({
        order_id: orderId,
        payment_reference: paymentReference,
        account_name: accountName,
        why: reasonOf(payerName, similarity),
      })),
  )
}

function reasonOf(payerName: string | null, similarity: number): string {
  const amount = 'Exactly this amount is missing'
  if (payerName === null) return `${amount}; the payer has no name.`
  return similarity === 0
    ? `${amount}; the names have nothing in common.`
    : `${amount}, and the names are ${Math.round(similarity * 100)} % similar.`
}
