import { fromMinorUnits, toMinorUnits } from '../../platform/base/money.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { GateFacts } from './blockers.ts'
import { findAccountFacts, type LivingOrder } from './order-life.sql.ts'

/** Everything that decides whether an order may be minted, as it is now. */
export async function gateFactsOf(tx: Transaction, order: LivingOrder): Promise<GateFacts> {
  const account = await findAccountFacts(tx, order)
  return {
    ...account,
    status: order.status,
    amountMissing: missingOf(order),
    currency: order.currency,
    paymentDueAt: order.paymentDueAt,
    blockchain: order.blockchain,
    isTokenMissing: order.isTokenMissing,
    mintingStopped: order.mintingStopped,
    heldReason: order.heldReason,
    isAcceptanceMissing: order.acceptanceRequired && order.acceptedAt === null,
  }
}

function missingOf({ totalAmount, paidAmount, currency }: LivingOrder): string {
  return fromMinorUnits(coins(totalAmount, currency) - coins(paidAmount, currency), currency)
}

/** An amount that we have written ourselves, in the currency's smallest coins. */
export function coins(amount: string, currency: string): bigint {
  const minorUnits = toMinorUnits(amount, currency)
  if (minorUnits === undefined) throw new Error('an amount is finer than its currency')
  return minorUnits
}
