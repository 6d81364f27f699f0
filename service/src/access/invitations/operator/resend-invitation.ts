import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { ApiError } from '../../../platform/api/errors/errors.ts'
import { requestErrors } from '../../../platform/api/errors/request.errors.ts'
import { enqueueJob } from '../../../platform/jobs/enqueue.sql.ts'
import { tenantErrors } from '../../tenants/tenant.errors.ts'
import { lockKnownLimits } from '../../tenants/tenant-limits.sql.ts'
import { requireWithinLimit } from '../../tenants/tenant-limits.ts'
import { userErrors } from '../../users/user.errors.ts'
import { User, UserPath } from '../../users/user.schema.ts'
import { findUser } from '../../users/user.sql.ts'
import { viewUser } from '../../users/user.view.ts'
import { countRecentInvitations } from '../invitation.sql.ts'
import { mailInvitation } from '../mail-invitation.job.ts'

export const resendInvitation = directoryOperation(
  {
    id: 'resendInvitation',
    summary: 'Send an invitation again',
    description: 'Mails a new link to a person who has not signed in yet, such as when the first link has expired.',
    tag: 'Users',
    method: 'POST',
    path: '/users/:userId/invitation',
    duty: 'team',
    // The mail goes to the address that two persons agreed on.
    approval: 'never',
    idempotency: 'none',
    params: UserPath,
    success: { status: 200, body: User },
    errors: [requestErrors.not_found, userErrors.already_signed_in, tenantErrors.tenant_limit_reached],
  },
  async ({ params: { userId } }, { tenantId, tx, callerId, audit }) => {
    const user = await findUser(tx, { tenantId, userId })
    if (!user) throw new ApiError(requestErrors.not_found, 'There is no such user.')
    if (user.identityId || user.kind === 'service')
      throw new ApiError(userErrors.already_signed_in, 'This user has signed in already, or is a service user.')
    const limits = await lockKnownLimits(tx, tenantId)
    const sent = await countRecentInvitations(tx, tenantId)
    requireWithinLimit('invitationsPerDay', sent + 1, limits.invitationsPerDay)
    await enqueueJob(tx, mailInvitation, { tenant_id: tenantId, user_id: userId, invited_by: callerId })
    audit({ action: 'invitation.sent', subject: { type: 'user', id: userId } })
    return viewUser(user)
  },
)
