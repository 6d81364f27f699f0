import { operatorOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { OfferingPath } from '../../../sales/offerings/offering.schema.ts'
import { LockUp, OperatorOffering } from '../../../sales/offerings/operator/operator-offering.schema.ts'
import {
  lockOffering,
  lockUpFingerprint,
  setLockedOfferingLockUp,
} from '../../../sales/offerings/operator/operator-offering.sql.ts'
import { viewOperatorOffering } from '../../../sales/offerings/operator/operator-offering.view.ts'
import { actionIdOf, enqueueLockUp, requireTokenAndSigner } from '../../token-actions/enqueue-token-action.ts'
import { tokenActionErrors } from '../../token-actions/token-action.errors.ts'

export const setLockUp = operatorOperation(
  {
    id: 'setLockUp',
    summary: 'Set the lock-up of an offering',
    description:
      'Until `lock_up_until` no transfer to another investor is approved, except an inheritance. If ' +
      '`token_enforces_lock_up` is true, the token also rejects transfers by holders, even between wallets of one: ' +
      'the chain op `SET_LOCK_UP` changes it. Otherwise a transfer between registered wallets on the chain is found ' +
      'and listed under `GET /unrequested-transfers`. Always with a second person.',
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
    errors: [requestErrors.not_found, tokenActionErrors.token_not_deployed],
  },
  async ({ params, body }, { tenantId, tx, operator, audit }) => {
    const key = { tenantId, ...params }
    const offering = await lockOffering(tx, key)
    if (!offering) throw new ApiError(requestErrors.not_found, 'There is no such offering.')
    const lockUpUntil = body.lock_up_until === null ? null : new Date(body.lock_up_until)
    await setLockedOfferingLockUp(tx, key, lockUpUntil)
    if (offering.tokenEnforcesLockUp) {
      const token = await requireTokenAndSigner(tx, key)
      await enqueueLockUp(tx, token, { id: actionIdOf(operator), until: lockUpUntil })
    }
    audit({
      action: 'offering.lock_up_set',
      subject: { type: 'offering', id: params.offeringId },
      before: { lock_up_until: offering.lockUpUntil?.toISOString() ?? null },
      after: { lock_up_until: lockUpUntil?.toISOString() ?? null, reason: body.reason },
    })
    return viewOperatorOffering({ ...offering, lockUpUntil })
  },
  { policy: 'always', subject: 'offering', fingerprint: lockUpFingerprint },
)
