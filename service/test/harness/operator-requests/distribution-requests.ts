import { newDistribution } from '../money/distribution-world.ts'
import type { OperatorRequest } from './operator-request.ts'
import { distributionIn, draftWithRegister } from './prepared-distributions.ts'

const { source_account } = newDistribution

/** Valid requests of operations, by id. */
export const distributionRequests: Readonly<Record<string, OperatorRequest>> = {
  createDistribution: { body: () => newDistribution },
  updateDistribution: { body: () => ({ rate_per_token: '2.50' }), prepare: distributionIn('CALCULATED') },
  requestCalculation: { prepare: draftWithRegister },
  approveDistribution: { prepare: distributionIn('CALCULATED') },
  cancelDistribution: { prepare: distributionIn('DRAFT') },
  payDistribution: { prepare: distributionIn('APPROVED') },
  closeDistribution: { prepare: distributionIn('PAYING', 'paid') },
  downloadDistributionFile: { prepare: distributionIn('PAYING') },
  approveEntitlementAccount: { prepare: distributionIn('PAYING', 'returned') },
  createCouponSchedule: {
    body: () => ({
      currency: 'EUR',
      nominal_per_token: '1000.00',
      rate_percent: '5.25',
      day_count: 'ACT/ACT_ICMA',
      business_days: 'FOLLOWING',
      interest_from: '2026-07-01',
      first_pays_on: '2026-10-01',
      months: 3,
      matures_on: '2031-07-01',
      record_days: 1,
      draft_days: 14,
      source_account,
    }),
  },
  endCouponSchedule: { prepare: distributionIn('DRAFT') },
}
