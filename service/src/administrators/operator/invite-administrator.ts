import { ApiError } from '../../http/errors.ts'
import { directoryOperation } from '../../http/operation.ts'
import { enqueueJob } from '../../jobs/enqueue.sql.ts'
import { addAdministrator } from '../../tenants/add-administrator.ts'
import { Administrator, NewAdministrator } from '../administrator.schema.ts'
import { findPresentAdministrator } from '../administrator.sql.ts'
import { viewAdministrator } from '../administrator.view.ts'
import { mailInvitation } from '../mail-invitation.job.ts'

export const inviteAdministrator = directoryOperation(
  {
    id: 'inviteAdministrator',
    summary: 'Invite an administrator',
    description:
      'They are told by mail who invited them, and to which tenant. To call, they need a personal token: make one ' +
      'for them. Somebody who was removed may be invited again.',
    tag: 'Administrators',
    method: 'POST',
    path: '/administrators',
    role: 'administrator',
    idempotency: 'none',
    body: NewAdministrator,
    success: { status: 201, body: Administrator },
    errors: ['administrator_exists'],
  },
  async ({ body }, { tenantId, tx, callerId, audit }) => {
    const added = await addAdministrator(tx, { tenantId, ...body })
    if ('refused' in added) {
      if (added.refused === 'no such tenant') throw new Error('a tenant whose administrator calls is not there')
      throw new ApiError('administrator_exists', 'Somebody with this address is an administrator already.')
    }
    const { administratorId } = added
    await enqueueJob(tx, mailInvitation, {
      tenant_id: tenantId,
      administrator_id: administratorId,
      invited_by: callerId,
    })
    const administrator = await findPresentAdministrator(tx, { tenantId, administratorId })
    if (!administrator) throw new Error('an administrator who was just inserted is not there')
    const subject = { type: 'administrator', id: administratorId }
    audit({ action: 'administrator.invited', subject, after: { role: body.role, changed: ['name', 'email'] } })
    return viewAdministrator(administrator)
  },
)
