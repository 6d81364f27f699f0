import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { OfferingPath } from '../offering.schema.ts'
import { LockUp, OperatorOffering } from './operator-offering.schema.ts'
import { lockOffering, lockUpVersion, setLockedOfferingLockUp } from './operator-offering.sql.ts'
import { viewOperatorOffering } from './operator-offering.view.ts'

export const setLockUp = operatorOperation(
  {
    id: 'setLockUp',
    summary: 'Set the lock-up of an offering',
    description:
      'Until `lock_up_until` no transfer to another investor is approved, except an inheritance. The token itself ' +
      'does not know the lock-up: a transfer between registered wallets on the chain is found and listed under ' +
      '`GET /unrequested-transfers`. Always with a second person.',
    tag: 'Offerings',
    method: 'POST',
    path: '/offerings/:offeringId/lock-up',
    duty: 'offerings',
    offering: 'params.offeringId',
    approval: 'always',
    idempotency: 'optional',
    params: OfferingPath,
    body: LockUp,
    success: { status: 200, body: OperatorOffering },
    errors: [requestErrors.not_found],
  },
  async ({ params, body }, { tenantId, tx, audit }) => {
    const key = { tenantId, ...params }
    const offering = await lockOffering(tx, key)
    if (!offering) throw new ApiError(requestErrors.not_found, 'There is no such offering.')
    const lockUpUntil = body.lock_up_until === null ? null : new Date(body.lock_up_until)
    await setLockedOfferingLockUp(tx, key, lockUpUntil)
    audit({
      action: 'offering.lock_up_set',
      subject: { type: 'offering', id: params.offeringId },
      before: { lock_up_until: offering.lockUpUntil?.toISOString() ?? null },
      after: { lock_up_until: lockUpUntil?.toISOString() ?? null, reason: body.reason },
    })
    return viewOperatorOffering({ ...offering, lockUpUntil })
  },
  { policy: 'always', subject: 'offering', version: lockUpVersion },
)
