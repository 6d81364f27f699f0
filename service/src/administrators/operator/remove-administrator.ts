import { ApiError } from '../../http/errors.ts'
import { directoryOperation } from '../../http/operation.ts'
import { Administrator, AdministratorPath } from '../administrator.schema.ts'
import { lockPresentAdministrators, removeLockedAdministrator } from '../administrator.sql.ts'
import { viewAdministrator } from '../administrator.view.ts'
import { requireAdministratorLeft } from '../administrator-left.ts'

export const removeAdministrator = directoryOperation(
  {
    id: 'removeAdministrator',
    summary: 'Remove an administrator',
    description:
      'Their personal tokens are refused from their next request on. The last one with the role `administrator` ' +
      'cannot be removed. What they did stays in the audit log.',
    tag: 'Administrators',
    method: 'POST',
    path: '/administrators/:administratorId/remove',
    role: 'administrator',
    idempotency: 'none',
    params: AdministratorPath,
    success: { status: 200, body: Administrator },
    errors: ['not_found', 'last_administrator'],
  },
  async ({ params: { administratorId } }, { tenantId, tx, now, audit }) => {
    const present = await lockPresentAdministrators(tx, tenantId)
    const administrator = present.find(({ id }) => id === administratorId)
    if (!administrator) throw new ApiError('not_found', 'There is no such administrator.')
    if (administrator.role === 'administrator') requireAdministratorLeft(present, administratorId)
    await removeLockedAdministrator(tx, { tenantId, administratorId }, now)
    const subject = { type: 'administrator', id: administratorId }
    audit({ action: 'administrator.removed', subject, before: { role: administrator.role } })
    return viewAdministrator({ ...administrator, removedAt: now })
  },
)
