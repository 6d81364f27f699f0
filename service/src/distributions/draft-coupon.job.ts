import { Type } from 'typebox'
import { newRowId } from '../platform/base/ids.ts'
import { enqueueJob } from '../platform/jobs/enqueue.sql.ts'
import { type JobContext, job } from '../platform/jobs/job.ts'
import { inTenantTransaction } from '../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import { appendAudit } from '../records/audit/append-audit.sql.ts'
import { addDays } from './calendar-date.ts'
import { couponPeriod } from './coupon-period.ts'
import {
  type CouponScheduleKey,
  type CouponScheduleRow,
  lockCouponSchedule,
  setNextPeriod,
  setScheduleEnded,
} from './coupon-schedule.sql.ts'
import { insertDistribution } from './distribution.sql.ts'

const draftQueue = {
  name: 'draft-coupon',
  payload: Type.Object({ tenant_id: Type.String(), schedule_id: Type.String() }),
  keyOf: ({ schedule_id: scheduleId }: { schedule_id: string }) => scheduleId,
} as const

/**
 * Drafts the due distributions of a coupon schedule, and enqueues itself for the next one. Draft, next period number
 * and next job commit together, and an index allows one draft per period.
 */
export const draftCoupon = job({
  ...draftQueue,
  run: async (payload, context: Pick<JobContext, 'databases' | 'placement' | 'clock'>) => {
    const { tenant_id: tenantId, schedule_id: scheduleId } = payload
    let hasMore = true
    while (hasMore)
      hasMore = await inTenantTransaction(context, { tenantId, access: 'write' }, (tx) =>
        draftNext(tx, { tenantId, scheduleId }, context.clock()),
      )
  },
})

/** Returns true if it created a draft. The next one may be due as well, if no worker ran for long. */
async function draftNext(tx: Transaction, key: CouponScheduleKey, now: Date): Promise<boolean> {
  const schedule = await lockCouponSchedule(tx, key)
  if (schedule?.status !== 'active') return false
  const { nextNumber, draftDays, offeringId, currency, sourceAccount, withholding } = schedule
  const period = couponPeriod(schedule, nextNumber)
  if (!period) {
    await setScheduleEnded(tx, key)
    return false
  }
  if (Date.parse(addDays(period.payOn, -draftDays)) > now.getTime()) {
    await enqueueDraft(tx, key, schedule)
    return false
  }
  const { payOn, recordAt, ratePerToken } = period
  const distributionId = newRowId()
  await insertDistribution(
    tx,
    { tenantId: key.tenantId, distributionId },
    {
      kind: 'COUPON',
      offeringId,
      recordAt,
      payOn,
      currency,
      ratePerToken,
      totalAmount: null,
      sourceAccount,
      withholding,
      now,
      scheduleId: key.scheduleId,
      periodNumber: nextNumber,
    },
  )
  await setNextPeriod(tx, key, nextNumber + 1)
  await appendAudit(
    tx,
    { type: 'system', id: null, requestId: null },
    {
      action: 'distribution.created',
      subject: { type: 'distribution', id: distributionId },
      after: { kind: 'COUPON', schedule_id: key.scheduleId, period_number: nextNumber, rate_per_token: ratePerToken },
    },
  )
  return true
}

/** Schedules the draft of the next period. */
export async function enqueueDraft(
  tx: Transaction,
  { tenantId, scheduleId }: CouponScheduleKey,
  schedule: CouponScheduleRow,
): Promise<void> {
  const period = couponPeriod(schedule, schedule.nextNumber)
  if (!period) return
  const at = new Date(addDays(period.payOn, -schedule.draftDays))
  await enqueueJob(tx, draftQueue, { tenant_id: tenantId, schedule_id: scheduleId }, at)
}
