import { Type } from 'typebox'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { AccountKey } from '../accounts/account.sql.ts'
import type { OfferingKey } from '../offerings/offering.sql.ts'
import { updateBlockersOfAccount } from './order-blocker.sql.ts'

// Jobs that check the mint preconditions of orders again, and move those that have gained or lost one. Enqueue each in
// the transaction that changes a precondition, after the change. sales/orders runs them. Jobs keep their names in the
// queue: those that an earlier release has enqueued must run.

export const accountRecheck = {
  name: 'check-mint-preconditions',
  payload: Type.Object({ tenant_id: Type.String(), account_id: Type.String() }),
  keyOf: ({ account_id: accountId }: { account_id: string }) => accountId,
} as const

const ofOffering = {
  payload: Type.Object({
    tenant_id: Type.String(),
    offering_id: Type.String(),
    /** Id of the last order that was checked. */
    after: Type.Optional(Type.String()),
  }),
  // A job that continues a check must not replace one that starts it.
  keyOf: ({ offering_id: offeringId, after = '' }: { offering_id: string; after?: string }) => offeringId + after,
} as const

/** Checks of all orders of an offering. `apply-eligibility` also updates the blockers of each. */
export const offeringRechecks = {
  'check-offering-orders': { name: 'check-offering-orders', ...ofOffering },
  'apply-eligibility': { name: 'apply-eligibility', ...ofOffering },
} as const
export type OfferingRecheck = keyof typeof offeringRechecks

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
  await enqueueJob(tx, accountRecheck, { tenant_id: tenantId, account_id: accountId })
}

/** Enqueues a check of all orders of an offering: it has reached its soft cap, or its rules have changed. */
export async function recheckOrdersOfOffering(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  name: OfferingRecheck = 'check-offering-orders',
  after?: string,
): Promise<void> {
  const payload = { tenant_id: tenantId, offering_id: offeringId, ...(after !== undefined && { after }) }
  await enqueueJob(tx, offeringRechecks[name], payload)
}
