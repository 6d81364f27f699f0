import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { distributionErrors } from '../distribution.errors.ts'
import { Distribution, DistributionPath } from '../distribution.schema.ts'
import type { DistributionRow } from '../distribution.sql.ts'
import { viewDistribution } from '../distribution.view.ts'
import { type BurnCounts, countBurns, type StatusSum, selectStatusSums } from '../distribution-entitlement.sql.ts'
import { setClosed } from '../distribution-step.sql.ts'
import { requireDistribution, requireLockedDistribution, requireStatus } from '../require-distribution.ts'
import { distributionDecision } from './distribution-decision.ts'

export const closeDistribution = operatorOperation(
  {
    id: 'closeDistribution',
    summary: 'Close a distribution',
    description:
      'Possible once no entitlement is due or with the bank, and a redemption has burnt what it paid. What the bank ' +
      'returned, and what is set apart, stays owed: paying it later opens the distribution again.',
    tag: 'Distributions',
    method: 'POST',
    path: '/distributions/:distributionId/close',
    duty: 'money',
    approval: 'never',
    decides: distributionDecision,
    idempotency: 'optional',
    params: DistributionPath,
    success: { status: 200, body: Distribution },
    errors: [requestErrors.not_found, distributionErrors.distribution_not_in_state],
  },
  async ({ params: { distributionId } }, { tenantId, tx, now, audit }) => {
    const key = { tenantId, distributionId }
    const distribution = await requireLockedDistribution(tx, key)
    if (distribution.status === 'CLOSED') {
      audit('nothing changed')
      return viewDistribution(distribution)
    }
    requireStatus(distribution, ['PAYING'], 'Pay it with POST /distributions/{id}/pay.')
    const [sums, burns] = await tx.batch(
      (tx) => selectStatusSums(tx, key, distribution.currency),
      (tx) => countBurns(tx, key),
    )
    const obstacles = obstaclesOf(distribution, sums, burns)
    if (obstacles.length > 0)
      throw new ApiError(distributionErrors.distribution_not_in_state, `Still open: ${obstacles.join(', ')}.`)
    await setClosed(tx, key, now)
    const totals = Object.fromEntries(sums.map(({ status, count }) => [status, count]))
    audit({
      action: 'distribution.closed',
      subject: { type: 'distribution', id: distributionId },
      before: { status: 'PAYING' },
      after: { status: 'CLOSED', ...totals },
    })
    return viewDistribution(await requireDistribution(tx, key))
  },
)

function obstaclesOf({ kind, isFiling }: DistributionRow, sums: readonly StatusSum[], burns: BurnCounts): string[] {
  const open = sums.filter(({ status }) => status === 'due' || status === 'sent')
  return [
    ...(isFiling ? ['a worker writes files'] : []),
    ...open.map(({ status, count }) => `${count} entitlements are ${status}`),
    ...(kind === 'REDEMPTION' && burns.waiting > 0 ? [`${burns.waiting} burns are not final`] : []),
  ]
}
