import type { OperatorOperation } from '../platform/api/declare/operation.ts'
import { approveDistribution } from './operator/approve-distribution.ts'
import { approveEntitlementAccount } from './operator/approve-entitlement-account.ts'
import { cancelDistribution } from './operator/cancel-distribution.ts'
import { closeDistribution } from './operator/close-distribution.ts'
import { createCouponSchedule } from './operator/create-coupon-schedule.ts'
import { createDistribution } from './operator/create-distribution.ts'
import { downloadDistributionFile } from './operator/download-distribution-file.ts'
import { endCouponSchedule } from './operator/end-coupon-schedule.ts'
import { getDistribution } from './operator/get-distribution.ts'
import { listCouponSchedules } from './operator/list-coupon-schedules.ts'
import { listDistributionEntitlements } from './operator/list-distribution-entitlements.ts'
import { listDistributionFiles } from './operator/list-distribution-files.ts'
import { listDistributions } from './operator/list-distributions.ts'
import { payDistribution } from './operator/pay-distribution.ts'
import { requestCalculation } from './operator/request-calculation.ts'
import { updateDistribution } from './operator/update-distribution.ts'

/** Coupons, dividends and redemptions, and the schedules that draft them. */
export const distributionOperations: readonly OperatorOperation[] = [
  createDistribution, //               POST  /offerings/:offeringId/distributions
  listDistributions, //                GET   /distributions
  getDistribution, //                  GET   /distributions/:distributionId
  updateDistribution, //               PATCH /distributions/:distributionId
  requestCalculation, //               POST  /distributions/:distributionId/calculate
  approveDistribution, //              POST  /distributions/:distributionId/approve
  cancelDistribution, //               POST  /distributions/:distributionId/cancel
  payDistribution, //                  POST  /distributions/:distributionId/pay
  closeDistribution, //                POST  /distributions/:distributionId/close
  listDistributionEntitlements, //     GET   /distributions/:distributionId/entitlements
  listDistributionFiles, //            GET   /distributions/:distributionId/files
  downloadDistributionFile, //         POST  /distribution-files/:fileId/download
  approveEntitlementAccount, //        POST  /entitlements/:entitlementId/approve-account
  createCouponSchedule, //             POST  /offerings/:offeringId/coupon-schedules
  listCouponSchedules, //              GET   /coupon-schedules
  endCouponSchedule, //                POST  /coupon-schedules/:scheduleId/end
]
