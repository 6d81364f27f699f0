import { keysetListOperation, pageOf } from '../../platform/api/declare/keyset-list.ts'
import { CouponSchedule } from '../coupon-schedule.schema.ts'
import { pageOfCouponSchedules } from '../coupon-schedule.sql.ts'
import { viewCouponSchedule } from '../coupon-schedule.view.ts'

export const listCouponSchedules = keysetListOperation(
  {
    id: 'listCouponSchedules',
    summary: 'List coupon schedules',
    description: 'All schedules with their next period, newest first.',
    tag: 'Distributions',
    path: '/coupon-schedules',
    duty: 'read',
    item: CouponSchedule,
    errors: [],
  },
  async ({ page }, { tenantId, tx }) => {
    const { count, rows } = await pageOfCouponSchedules(tx, tenantId, page)
    return { count, ...pageOf(rows, page, viewCouponSchedule) }
  },
)
