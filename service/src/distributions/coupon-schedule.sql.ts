import { countedPage } from '../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../platform/api/declare/keyset-list.ts'
import { type Sql, sql } from '../platform/postgres/sql.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import type { CouponTerms } from './coupon-period.ts'
import type { DistributionTerms } from './distribution.sql.ts'

export interface CouponScheduleKey {
  tenantId: string
  scheduleId: string
}

export interface CouponScheduleRow
  extends CouponTerms,
    Pick<DistributionTerms, 'currency' | 'sourceAccount' | 'withholding'> {
  id: string
  offeringId: string
  draftDays: number
  /** The number of the next period that a job drafts. */
  nextNumber: number
  status: 'active' | 'ended'
  createdAt: Date
}

const columns: Sql = sql`
  id, offering_id as "offeringId", currency, nominal_per_token as "nominalPerToken", rate_percent as "ratePercent",
  day_count as "dayCount", business_days as "businessDays", interest_from::text as "interestFrom",
  first_pays_on::text as "firstPaysOn", months, matures_on::text as "maturesOn", record_days as "recordDays",
  draft_days as "draftDays", source_account as "sourceAccount", withholding, next_number as "nextNumber", status,
  created_at as "createdAt"`

export async function insertCouponSchedule(
  tx: Transaction,
  tenantId: string,
  schedule: Omit<CouponScheduleRow, 'nextNumber' | 'status'>,
): Promise<CouponScheduleRow> {
  const inserted = await tx.row<CouponScheduleRow>(sql`
    insert into cell.coupon_schedule (tenant_id, id, offering_id, currency, nominal_per_token, rate_percent, day_count,
                                      business_days, interest_from, first_pays_on, months, matures_on, record_days,
                                      draft_days, source_account, withholding, created_at)
    values (${tenantId}, ${schedule.id}, ${schedule.offeringId}, ${schedule.currency}, ${schedule.nominalPerToken},
            ${schedule.ratePercent}, ${schedule.dayCount}, ${schedule.businessDays}, ${schedule.interestFrom},
            ${schedule.firstPaysOn}, ${schedule.months}, ${schedule.maturesOn}, ${schedule.recordDays},
            ${schedule.draftDays}, ${JSON.stringify(schedule.sourceAccount)}, ${JSON.stringify(schedule.withholding)},
            ${schedule.createdAt})
    returning ${columns}`)
  if (!inserted) throw new Error('a coupon schedule was not inserted')
  return inserted
}

export function lockCouponSchedule(tx: Transaction, { tenantId, scheduleId }: CouponScheduleKey) {
  return tx.row<CouponScheduleRow>(sql`
    select ${columns} from cell.coupon_schedule where tenant_id = ${tenantId} and id = ${scheduleId}
    for no key update`)
}

export async function setNextPeriod(tx: Transaction, { tenantId, scheduleId }: CouponScheduleKey, next: number) {
  await tx.rows(sql`
    update cell.coupon_schedule set next_number = ${next} where tenant_id = ${tenantId} and id = ${scheduleId}`)
}

export function setScheduleEnded(tx: Transaction, { tenantId, scheduleId }: CouponScheduleKey) {
  return tx.row<CouponScheduleRow>(sql`
    update cell.coupon_schedule set status = 'ended' where tenant_id = ${tenantId} and id = ${scheduleId}
    returning ${columns}`)
}

export function pageOfCouponSchedules(tx: Transaction, tenantId: string, page: KeysetPage) {
  return countedPage<CouponScheduleRow>(tx, page, {
    columns,
    from: sql`cell.coupon_schedule`,
    where: sql`tenant_id = ${tenantId}`,
    id: sql`id`,
  })
}
