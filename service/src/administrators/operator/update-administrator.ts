import { ApiError } from '../../http/errors.ts'
import { directoryOperation } from '../../http/operation.ts'
import { Administrator, AdministratorChange, AdministratorPath } from '../administrator.schema.ts'
import { lockPresentAdministrators, updateLockedRole } from '../administrator.sql.ts'
import { viewAdministrator } from '../administrator.view.ts'
import { requireAdministratorLeft } from '../administrator-left.ts'

export const updateAdministrator = directoryOperation(
  {
    id: 'updateAdministrator',
    summary: 'Change the role of an administrator',
    description: 'Counts from their next request on. The last one with the role `administrator` keeps it.',
    tag: 'Administrators',
    method: 'PATCH',
    path: '/administrators/:administratorId',
    role: 'administrator',
    idempotency: 'none',
    params: AdministratorPath,
    body: AdministratorChange,
    success: { status: 200, body: Administrator },
    errors: ['not_found', 'last_administrator'],
  },
  async ({ params: { administratorId }, body: { role } }, { tenantId, tx, audit }) => {
    const present = await lockPresentAdministrators(tx, tenantId)
    const administrator = present.find(({ id }) => id === administratorId)
    if (!administrator) throw new ApiError('not_found', 'There is no such administrator.')
    if (administrator.role === role) {
      audit('nothing changed')
      return viewAdministrator(administrator)
    }
    if (administrator.role === 'administrator') requireAdministratorLeft(present, administratorId)
    await updateLockedRole(tx, { tenantId, administratorId }, role)
    const subject = { type: 'administrator', id: administratorId }
    audit({ action: 'administrator.role_changed', subject, before: { role: administrator.role }, after: { role } })
    return viewAdministrator({ ...administrator, role })
  },
)
