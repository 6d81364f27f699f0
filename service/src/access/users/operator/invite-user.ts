import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { enqueueJob } from '../../../platform/jobs/enqueue.sql.ts'
import { addUser } from '../../tenants/add-user.ts'
import { mailInvitation } from '../mail-invitation.job.ts'
import { userErrors } from '../user.errors.ts'
import { NewUser, User } from '../user.schema.ts'
import { findPresentUser } from '../user.sql.ts'
import { viewUser } from '../user.view.ts'

export const inviteUser = directoryOperation(
  {
    id: 'inviteUser',
    summary: 'Invite an user',
    description:
      'They are told by mail who invited them, and to which tenant. To call, they need a personal token: make one ' +
      'for them. Somebody who was removed may be invited again.',
    tag: 'Users',
    method: 'POST',
    path: '/users',
    role: 'admin',
    idempotency: 'none',
    body: NewUser,
    success: { status: 201, body: User },
    errors: [userErrors.user_exists],
  },
  async ({ body }, { tenantId, tx, callerId, audit }) => {
    const added = await addUser(tx, { tenantId, ...body })
    if ('refused' in added) {
      if (added.refused === 'no such tenant') throw new Error('a tenant whose user calls is not there')
      throw new ApiError(userErrors.user_exists, 'Somebody with this address is an user already.')
    }
    const { userId } = added
    await enqueueJob(tx, mailInvitation, {
      tenant_id: tenantId,
      user_id: userId,
      invited_by: callerId,
    })
    const user = await findPresentUser(tx, { tenantId, userId })
    if (!user) throw new Error('an user who was just inserted is not there')
    const subject = { type: 'user', id: userId }
    audit({ action: 'user.invited', subject, after: { role: body.role, changed: ['name', 'email'] } })
    return viewUser(user)
  },
)
