import { ApiError } from '../platform/api/errors/errors.ts'
import { found } from '../platform/api/errors/found.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import { distributionErrors } from './distribution.errors.ts'
import { type DistributionKey, type DistributionRow, findDistribution, lockDistribution } from './distribution.sql.ts'
import { selectStatusSums } from './distribution-entitlement.sql.ts'
import { type DistributionStatus, distributionStatuses, isChangeable } from './distribution-status.ts'

/** Locks the distribution; throws 404 if it does not exist. */
export async function requireLockedDistribution(tx: Transaction, key: DistributionKey): Promise<DistributionRow> {
  return found(await lockDistribution(tx, key), 'The distribution does not exist.')
}

export async function requireDistribution(tx: Transaction, key: DistributionKey): Promise<DistributionRow> {
  return found(await findDistribution(tx, key), 'The distribution does not exist.')
}

/** Throws 409 unless the distribution has one of these statuses. */
export function requireStatus(
  { status }: Pick<DistributionRow, 'status'>,
  allowed: readonly DistributionStatus[],
  remedy: string,
): void {
  if (allowed.includes(status)) return
  throw new ApiError(
    distributionErrors.distribution_not_in_state,
    `The distribution is ${status}; it must be ${allowed.join(' or ')}. ${remedy}`,
  )
}

/**
 * Throws 409 if the terms can no longer change. After a restore, an APPROVED distribution may have entitlements that
 * the bank has already paid: a new calculation would pay them again.
 */
export async function requireChangeable(tx: Transaction, key: DistributionKey, row: DistributionRow): Promise<void> {
  requireStatus(row, distributionStatuses.filter(isChangeable), 'A distribution that is with the bank cannot change.')
  const sums = row.status === 'APPROVED' ? await selectStatusSums(tx, key, row.currency) : []
  if (sums.some(({ status }) => ['sent', 'paid', 'returned'].includes(status)))
    throw new ApiError(
      distributionErrors.distribution_not_in_state,
      'The bank has paid entitlements of the distribution. Pay it with POST /distributions/{id}/pay.',
    )
}
