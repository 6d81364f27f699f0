import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { tenantErrors } from '../../tenants/tenant.errors.ts'
import { addUser } from '../add-user.ts'
import { parseDuties, requireAllowedDuties, requireServiceDuties } from '../parse-duties.ts'
import { userErrors } from '../user.errors.ts'
import { NewServiceUser, User } from '../user.schema.ts'
import { findUser } from '../user.sql.ts'
import { viewUser } from '../user.view.ts'

export const createServiceUser = directoryOperation(
  {
    id: 'createServiceUser',
    summary: 'Create a service user',
    description:
      'For unattended work, such as importing bank statements. A service user has duties and tokens, but never signs ' +
      'in, can never confirm anything, and cannot have the duty `team`. The person who proposed to create it cannot ' +
      'confirm what it proposes.',
    tag: 'Users',
    method: 'POST',
    path: '/service-users',
    duty: 'team',
    approval: 'always',
    idempotency: 'none',
    body: NewServiceUser,
    success: { status: 201, body: User },
    errors: [userErrors.service_user_in_team, userErrors.duties_forbidden, tenantErrors.tenant_limit_reached],
  },
  async ({ body: { name, duties: listed } }, { tenantId, tx, callerId, audit }) => {
    const duties = parseDuties({ duties: listed })
    requireServiceDuties(duties)
    await requireAllowedDuties(tx, tenantId, duties)
    const added = await addUser(tx, { tenantId, kind: 'service', name, email: null, invitedBy: callerId, duties })
    if ('rejected' in added) throw new Error(`a service user was rejected: ${added.rejected}`)
    const user = await findUser(tx, { tenantId, userId: added.userId })
    if (!user) throw new Error('the inserted user was not found')
    const after = { kind: 'service', duties: duties.map(({ duty }) => duty), changed: ['name'] }
    audit({ action: 'user.created', subject: { type: 'user', id: user.id }, after })
    return viewUser(user)
  },
  { policy: 'always', subject: 'tenant' },
)
