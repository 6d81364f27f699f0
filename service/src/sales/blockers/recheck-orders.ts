import { Type } from 'typebox'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { AccountKey } from '../accounts/account.sql.ts'
import type { OfferingKey } from '../offerings/offering.sql.ts'
import { updateBlockersOfAccount } from './order-blocker.sql.ts'

// Jobs that check the mint preconditions of orders again, and move those that have gained or lost one. Enqueue each in
// the transaction that changes a precondition, after the change. sales/orders runs them.

export const recheckOfAccount = {
  name: 'check-mint-preconditions',
  payload: Type.Object({ tenant_id: Type.String(), account_id: Type.String() }),
  keyOf: ({ account_id: accountId }: { account_id: string }) => accountId,
} as const

const payloadOfOffering = Type.Object({
  tenant_id: Type.String(),
  offering_id: Type.String(),
  /** Id of the last order that was checked. */
  after: Type.Optional(Type.String()),
})
// A job that continues a check must not replace one that starts it.
const keyOfOffering = ({ offering_id: offeringId, after = '' }: { offering_id: string; after?: string }) =>
  offeringId + after

export const recheckOfOffering = {
  name: 'check-offering-orders',
  payload: payloadOfOffering,
  keyOf: keyOfOffering,
} as const

/** Also updates the blockers of each order. */
export const recheckOfEligibility = {
  name: 'apply-eligibility',
  payload: payloadOfOffering,
  keyOf: keyOfOffering,
} as const

/**
 * Updates the blockers of the account's orders and enqueues their check: an approval was granted or withdrawn, a wallet
 * can or can no longer receive tokens, a benefiting person was added.
 */
export async function recheckOrdersOfAccount(tx: Transaction, key: AccountKey): Promise<void> {
  await tx.batch(
    (tx) => updateBlockersOfAccount(tx, key),
    (tx) => enqueueRecheck(tx, key),
  )
}

/** Enqueues only the check, for a change of an order and of nothing else in its account. */
export async function enqueueRecheck(tx: Transaction, { tenantId, accountId }: AccountKey): Promise<void> {
  await enqueueJob(tx, recheckOfAccount, { tenant_id: tenantId, account_id: accountId })
}

/** Enqueues a check of all orders of an offering, for example because it has reached its soft cap. */
export function recheckOrdersOfOffering(tx: Transaction, key: OfferingKey, after?: string): Promise<void> {
  return enqueueOfOffering(tx, recheckOfOffering, key, after)
}

/** Enqueues a check of all orders of an offering whose rules of eligibility have changed. */
export function recheckEligibilityOfOrders(tx: Transaction, key: OfferingKey, after?: string): Promise<void> {
  return enqueueOfOffering(tx, recheckOfEligibility, key, after)
}

async function enqueueOfOffering(
  tx: Transaction,
  job: typeof recheckOfOffering | typeof recheckOfEligibility,
  { tenantId, offeringId }: OfferingKey,
  after: string | undefined,
): Promise<void> {
  const payload = { tenant_id: tenantId, offering_id: offeringId }
  await enqueueJob(tx, job, after === undefined ? payload : { ...payload, after })
}
