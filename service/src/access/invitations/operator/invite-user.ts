import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { enqueueJob } from '../../../platform/jobs/enqueue.sql.ts'
import { tenantErrors } from '../../tenants/tenant.errors.ts'
import { lockKnownLimits } from '../../tenants/tenant-limits.sql.ts'
import { requireWithinLimit } from '../../tenants/tenant-limits.ts'
import { addUser } from '../../users/add-user.ts'
import { parseDuties, requireAllowedDuties } from '../../users/parse-duties.ts'
import { userErrors } from '../../users/user.errors.ts'
import { NewUser, User } from '../../users/user.schema.ts'
import { countRecentUsers, findUser } from '../../users/user.sql.ts'
import { viewUser } from '../../users/user.view.ts'
import { mailInvitation } from '../mail-invitation.job.ts'

export const inviteUser = directoryOperation(
  {
    id: 'inviteUser',
    summary: 'Invite a person',
    description:
      'Adds a user and sends them a mail, once a second person has confirmed it. A removed user may be invited again.',
    tag: 'Users',
    method: 'POST',
    path: '/users',
    duty: 'team',
    approval: 'always',
    idempotency: 'none',
    body: NewUser,
    success: { status: 201, body: User },
    errors: [userErrors.user_exists, userErrors.duties_forbidden, tenantErrors.tenant_limit_reached],
  },
  async ({ body }, { tenantId, tx, callerId, audit }) => {
    const duties = parseDuties(body)
    await requireAllowedDuties(tx, tenantId, duties)
    // Every invitation sends a mail from our address to one that the caller chooses.
    const limits = await lockKnownLimits(tx, tenantId)
    requireWithinLimit('invitationsPerDay', (await countRecentUsers(tx, tenantId)) + 1, limits.invitationsPerDay)
    const person = { kind: 'person', name: body.name, email: body.email, invitedBy: callerId } as const
    const added = await addUser(tx, { tenantId, duties, ...person })
    if ('rejected' in added) {
      if (added.rejected === 'tenant not found') throw new Error("the caller's tenant was not found")
      throw new ApiError(userErrors.user_exists, 'The tenant already has a user with this e-mail address.')
    }
    const { userId } = added
    await enqueueJob(tx, mailInvitation, { tenant_id: tenantId, user_id: userId, invited_by: callerId })
    const user = await findUser(tx, { tenantId, userId })
    if (!user) throw new Error('the inserted user was not found')
    const after = { duties: duties.map(({ duty }) => duty), changed: ['name', 'email'] }
    audit({ action: 'user.invited', subject: { type: 'user', id: userId }, after })
    return viewUser(user)
  },
  { policy: 'always', subject: 'tenant' },
)
