import { Type } from 'typebox'
import { policies } from '../../../platform/api/declare/approval.ts'
import { Closed, Named, orNull, Timestamp, Uuid } from '../../../platform/api/declare/fields.ts'
import { directoryOperation } from '../../../platform/api/declare/operation.ts'
import { minorUnitDigitsOfAll } from '../../../platform/base/money.ts'
import { environments } from '../../../platform/base/settings-reader.ts'
import { Passkey } from '../../passkeys/passkey.schema.ts'
import { selectPasskeys } from '../../passkeys/passkey.sql.ts'
import { viewPasskey } from '../../passkeys/passkey.view.ts'
import { ApprovalPolicy } from '../../policies/policy.schema.ts'
import { selectPolicies } from '../../policies/policy.sql.ts'
import { viewPolicy } from '../../policies/policy.view.ts'
import { findTenantName, selectChains, selectTenantsOfPerson } from '../../tenants/tenant.sql.ts'
import { User } from '../../users/user.schema.ts'
import { findUser } from '../../users/user.sql.ts'
import { viewUser } from '../../users/user.view.ts'

const Tenant = Named('OwnTenant', {
  id: Uuid('The tenant.'),
  name: Type.String({ description: 'Its name.', examples: ['Harbour Issuer GmbH'] }),
})

const Me = Named('Me', {
  user: User,
  tenant: Tenant,
  environment: Type.Enum(environments, { description: 'The environment of this installation.' }),
  chains: Type.Array(Type.String({ examples: ['ethereum'] }), {
    description: 'The chains on which your tenant has a signer.',
  }),
  minor_unit_digits: Type.Object(
    {},
    {
      additionalProperties: Type.Integer({ minimum: 0, maximum: 4 }),
      description: 'Decimal places of the amounts of each currency of ISO 4217.',
      examples: [{ EUR: 2, JPY: 0, KWD: 3 }],
    },
  ),
  policies: Type.Array(ApprovalPolicy, { description: 'When your tenant needs a second person.' }),
  session: orNull(
    Closed({
      id: Uuid('The session.'),
      expires_at: Timestamp('When it ends without further requests.'),
      stepped_up_at: orNull(Timestamp('When you last used a passkey in it.'), { examples: [null] }),
      is_break_glass: Type.Boolean({ description: 'An emergency sign-in.' }),
    }),
    { description: 'Null for a personal access token.' },
  ),
  tenants: Type.Array(Tenant, { description: 'All tenants that you run. `POST /switch-tenant` switches.' }),
  passkeys: Type.Array(Passkey, { description: 'Your passkeys.' }),
})

export const getMe = directoryOperation(
  {
    id: 'getMe',
    summary: 'Read who you are',
    description: 'The user with their duties, the tenant, its chains and policies, the session, and your passkeys.',
    tag: 'Sign-in',
    method: 'GET',
    path: '/me',
    duty: 'read',
    presentsPerson: true,
    idempotency: 'none',
    success: { status: 200, body: Me },
    errors: [],
  },
  async (_input, { tenantId, tx, operator, environment, readOther }) => {
    const { userId, identityId, proof } = operator
    const [[user, name, tenants, passkeys, decided], chains] = await Promise.all([
      tx.batch(
        (tx) => findUser(tx, { tenantId, userId }),
        (tx) => findTenantName(tx, tenantId),
        (tx) => (identityId ? selectTenantsOfPerson(tx, identityId) : []),
        (tx) => (identityId ? selectPasskeys(tx, identityId) : []),
        (tx) => selectPolicies(tx, tenantId),
      ),
      readOther((cell) => selectChains(cell, tenantId)),
    ])
    if (!user || name === undefined) throw new Error('the caller was not found')
    const tenant = { id: tenantId, name }
    return {
      user: viewUser(user),
      tenant,
      environment,
      chains,
      minor_unit_digits: minorUnitDigitsOfAll(),
      policies: policies.map((policy) =>
        viewPolicy(
          policy,
          decided.find((row) => row.policy === policy),
        ),
      ),
      session:
        proof.type === 'session'
          ? {
              id: proof.id,
              expires_at: operator.expiresAt.toISOString(),
              stepped_up_at: proof.steppedUpAt?.toISOString() ?? null,
              is_break_glass: proof.isBreakGlass,
            }
          : null,
      tenants: tenants.length > 0 ? tenants : [tenant],
      passkeys: passkeys.map(viewPasskey),
    }
  },
)
