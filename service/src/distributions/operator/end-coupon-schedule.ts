import { operatorOperation } from '../../platform/api/declare/operation.ts'
import { found } from '../../platform/api/errors/found.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { CouponSchedule, CouponSchedulePath } from '../coupon-schedule.schema.ts'
import { lockCouponSchedule, setScheduleEnded } from '../coupon-schedule.sql.ts'
import { viewCouponSchedule } from '../coupon-schedule.view.ts'

export const endCouponSchedule = operatorOperation(
  {
    id: 'endCouponSchedule',
    summary: 'End a coupon schedule',
    description: 'It drafts nothing more; drafts that exist stay. Ending it again changes nothing.',
    tag: 'Distributions',
    method: 'POST',
    path: '/coupon-schedules/:scheduleId/end',
    duty: 'money',
    approval: 'never',
    idempotency: 'optional',
    params: CouponSchedulePath,
    success: { status: 200, body: CouponSchedule },
    errors: [requestErrors.not_found],
  },
  async ({ params: { scheduleId } }, { tenantId, tx, audit }) => {
    const key = { tenantId, scheduleId }
    const schedule = found(await lockCouponSchedule(tx, key), 'The coupon schedule does not exist.')
    if (schedule.status === 'ended') {
      audit('nothing changed')
      return viewCouponSchedule(schedule)
    }
    const ended = await setScheduleEnded(tx, key)
    if (!ended) throw new Error('a locked coupon schedule was not found')
    const change = { before: { status: 'active' }, after: { status: 'ended' } }
    audit({ action: 'coupon_schedule.ended', subject: { type: 'coupon_schedule', id: scheduleId }, ...change })
    return viewCouponSchedule(ended)
  },
)
