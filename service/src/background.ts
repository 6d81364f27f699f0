import { mailAlarm } from './access/alarms/mail-alarm.job.ts'
import { expireApproval } from './access/approvals/expire-approval.job.ts'
import { mailApproval } from './access/approvals/mail-approval.job.ts'
import { mailPendingApprovals } from './access/approvals/mail-pending-approvals.job.ts'
import { alertFailedAuthentication } from './access/credentials/alert-failed-authentication.job.ts'
import { mailInvitation } from './access/invitations/mail-invitation.job.ts'
import {
  addKycProviderToDirectory,
  addPaymentProviderToDirectory,
} from './access/providers/add-provider-to-directory.job.ts'
import { mailMaintenance } from './access/users/mail-maintenance.job.ts'
import { deleteExport } from './disclosure/exports/delete-export.job.ts'
import { writeExports } from './disclosure/exports/write-exports.job.ts'
import { extractChanges } from './disclosure/register-extracts/extract-changes.job.ts'
import { burnRedeemed } from './distributions/burn-redeemed.job.ts'
import { calculateDistribution } from './distributions/calculate-distribution.job.ts'
import { draftCoupon } from './distributions/draft-coupon.job.ts'
import { writeDistributionFiles } from './distributions/write-distribution-files.job.ts'
import { matchStatements } from './money/statements/match-statements.job.ts'
import type { JobQueue } from './platform/jobs/job.ts'
import type { Loop, LoopContext } from './platform/jobs/loop.ts'
import { rollPartitions } from './platform/jobs/roll-partitions.ts'
import { publishAuditHeads } from './records/audit/publish-audit-heads.ts'
import { numberEvents } from './records/events/number-events.ts'
import { recordDirectoryEvent } from './records/events/record-directory-event.job.ts'
import { endAccountApprovals } from './sales/accounts/end-account-approvals.ts'
import { expireOrders } from './sales/orders/expire-orders.ts'
import { recheckAccount, recheckEligibility, recheckOffering } from './sales/orders/recheck-orders.job.ts'
import { refundOffering } from './sales/orders/refund-offering.job.ts'
import { expireWallets } from './sales/wallets/expire-wallets.ts'
import { checkRegistrations } from './tokens/allow-list/check-registrations.job.ts'
import { checkAttachedTokens } from './tokens/attached-tokens/check-attached-tokens.ts'
import { advanceChainOps } from './tokens/chain-ops/advance-chain-ops.ts'
import type { ChainOpContext } from './tokens/chain-ops/chain-op-context.ts'
import { planMinting } from './tokens/minting/plan-minting.ts'
import { reconcileTokens } from './tokens/reconciliation/reconcile.ts'
import { reconcileOffering } from './tokens/reconciliation/reconcile-offering.job.ts'
import { watchNodes } from './tokens/reconciliation/watch-nodes.ts'
import { watchSigners } from './tokens/signers/watch-signers.ts'
import { deliverToFailingEndpoints, deliverWebhooks } from './webhooks/deliver-webhooks.job.ts'
import type { DeliveryContext } from './webhooks/delivery.ts'
import { fanOutEvents, requeueLostDeliveries } from './webhooks/fan-out.ts'
import { mailEndpointDisabled } from './webhooks/mail-endpoint-disabled.job.ts'
import { measureApprovals } from './workbench/measures/measure-approvals.ts'
import { measureCell } from './workbench/measures/measure-cell.ts'
import { measureJobs } from './workbench/measures/measure-jobs.ts'
import { measureSize } from './workbench/measures/measure-size.ts'

/** Context of background work; each job and loop declares the part that it needs. */
export type BackgroundContext = Omit<LoopContext, 'cell' | 'pool'> &
  ChainOpContext &
  DeliveryContext & { readonly auditHeadsUrl?: string | undefined }

/** All jobs. A request or another job enqueues them; each database has these queues. */
export const queues: readonly JobQueue<BackgroundContext>[] = [
  {
    name: 'default',
    concurrency: 5,
    concurrencyPerTenant: 2,
    jobs: [
      addKycProviderToDirectory,
      addPaymentProviderToDirectory,
      recheckEligibility,
      alertFailedAuthentication,
      burnRedeemed,
      calculateDistribution,
      recheckAccount,
      recheckOffering,
      checkRegistrations,
      draftCoupon,
      expireApproval,
      extractChanges,
      mailAlarm,
      mailApproval,
      mailEndpointDisabled,
      mailInvitation,
      mailMaintenance,
      mailPendingApprovals,
      reconcileOffering,
      recordDirectoryEvent,
      refundOffering,
      writeDistributionFiles,
    ],
  },
  // A tenant has one job here, which works for two seconds at a time: tenants with large files take turns.
  { name: 'statements', concurrency: 2, isForCellsOnly: true, jobs: [matchStatements] },
  // Exports take turns in the same way, and must not delay money.
  { name: 'exports', concurrency: 1, isForCellsOnly: true, jobs: [writeExports, deleteExport] },
  // Jobs of these two queues mostly wait for receivers, which costs a socket and some memory, so many can run at once.
  { name: 'webhooks', concurrency: 256, isForCellsOnly: true, isHighVolume: true, jobs: [deliverWebhooks] },
  {
    name: 'failing-webhooks',
    concurrency: 128,
    isForCellsOnly: true,
    isHighVolume: true,
    jobs: [deliverToFailingEndpoints],
  },
]

/** All loops. Every worker repeats each of them for each cell. */
export const loops: readonly Loop<BackgroundContext & LoopContext>[] = [
  rollPartitions, //         every 10 min
  numberEvents, //           every 50 ms
  fanOutEvents, //           every 50 ms
  requeueLostDeliveries, //  every 30 s
  expireOrders, //           every 1 s
  expireWallets, //          every 1 s
  endAccountApprovals, //    every 1 s
  planMinting, //            every 300 ms
  checkAttachedTokens, //    every 300 ms
  advanceChainOps, //        every 200 ms
  reconcileTokens, //        every 60 s
  watchNodes, //             every 10 s
  watchSigners, //           every 10 s
  measureCell, //            every 15 s
  measureJobs(queues), //    every 15 s
  measureApprovals, //       every 15 s
  measureSize, //            every minute
  publishAuditHeads, //      every hour
]

/** Loops for a directory that is not a cell. */
export const directoryLoops: readonly Loop[] = [measureJobs(queues), measureApprovals, publishAuditHeads]
