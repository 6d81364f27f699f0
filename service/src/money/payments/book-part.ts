import type { Money } from '../../platform/base/money.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Vault } from '../../platform/postgres/vault.ts'
import type { OrderWithOffering } from '../../sales/orders/order-transition.sql.ts'
import { sealPayerAccount } from './payment-payer.ts'
import { receivePayment } from './receive-payment.ts'
import type { UnassignedPaymentRow } from './unassigned-payment.sql.ts'
import { openPayer } from './unassigned-payment.view.ts'

interface Part {
  readonly amount: Money
  /** Undefined if this is the whole payment, which then keeps its reference: a bank's reversal names it. */
  readonly number: number | undefined
}

/** Books an unassigned payment or a part of it to an order. The caller has locked both rows. */
export async function bookPart(
  { tx, vault }: { tx: Transaction; vault: Vault },
  unassigned: UnassignedPaymentRow,
  order: OrderWithOffering,
  { amount, number }: Part,
): ReturnType<typeof receivePayment> {
  const { provider, providerReference, receivedAt } = unassigned
  return receivePayment(tx, order, {
    provider,
    providerReference: number === undefined ? providerReference : `${providerReference} #${number}`,
    amount,
    receivedAt,
    unassignedPaymentId: unassigned.id,
    payer: await sealPayerAccount(vault, await openPayer(vault, unassigned)),
  })
}
