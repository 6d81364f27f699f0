import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { enqueueJob } from '../../../platform/jobs/enqueue.sql.ts'
import { tenantErrors } from '../../tenants/tenant.errors.ts'
import { lockDirectoryLimits } from '../../tenants/tenant-limits.sql.ts'
import { requireWithinLimit } from '../../tenants/tenant-limits.ts'
import { addUser } from '../add-user.ts'
import { mailInvitation } from '../mail-invitation.job.ts'
import { userErrors } from '../user.errors.ts'
import { NewUser, User } from '../user.schema.ts'
import { countRecentUsers, findUser } from '../user.sql.ts'
import { viewUser } from '../user.view.ts'

export const inviteUser = directoryOperation(
  {
    id: 'inviteUser',
    summary: 'Invite a user',
    description:
      'Sends a mail that names the tenant and the user who invited them. They need a personal access token to call ' +
      'this API: create one for them. A removed user may be invited again.',
    tag: 'Users',
    method: 'POST',
    path: '/users',
    role: 'admin',
    idempotency: 'none',
    body: NewUser,
    success: { status: 201, body: User },
    errors: [userErrors.user_exists, tenantErrors.tenant_limit_reached],
  },
  async ({ body }, { tenantId, tx, callerId, audit }) => {
    // Every invitation sends a mail from our address to one that the caller chooses.
    const limits = await lockDirectoryLimits(tx, tenantId)
    if (!limits) throw new Error("the caller's tenant was not found")
    requireWithinLimit('invitationsPerDay', (await countRecentUsers(tx, tenantId)) + 1, limits.invitationsPerDay)
    const added = await addUser(tx, { tenantId, ...body })
    if ('rejected' in added) {
      if (added.rejected === 'tenant not found') throw new Error("the caller's tenant was not found")
      throw new ApiError(userErrors.user_exists, 'The tenant already has a user with this e-mail address.')
    }
    const { userId } = added
    await enqueueJob(tx, mailInvitation, {
      tenant_id: tenantId,
      user_id: userId,
      invited_by: callerId,
    })
    const user = await findUser(tx, { tenantId, userId })
    if (!user) throw new Error('the inserted user was not found')
    const subject = { type: 'user', id: userId }
    audit({ action: 'user.invited', subject, after: { role: body.role, changed: ['name', 'email'] } })
    return viewUser(user)
  },
)
