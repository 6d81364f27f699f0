// Commands for the sign-in of a tenant's people, and for emergencies.

import { issueInvitation } from '../../access/invitations/issue-invitation.ts'
import { mailInvitation } from '../../access/invitations/mail-invitation.job.ts'
import { deletePasskeys } from '../../access/passkeys/passkey.sql.ts'
import { selectUsersOfIdentity, unbindPeople } from '../../access/sessions/identity.sql.ts'
import { revokeSessions } from '../../access/sessions/session.sql.ts'
import { findSignInFacts, setIdentityProvider } from '../../access/tenants/tenant.sql.ts'
import { teamNotification } from '../../access/users/team-notification.ts'
import { findUser } from '../../access/users/user.sql.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { operatorUrlOf } from '../../platform/base/config.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import { inDirectoryTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Databases } from '../../platform/postgres/pools.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { provider, uuid } from '../program/arguments.ts'
import { audit, config, inDirectory, MaintainError, print, printNote, withDatabases } from '../program/program.ts'
import { tenantCommand } from '../program/tenant-command.ts'

tenantCommand('break-glass', 'service')
  .description('print a one-time link with which a user signs in while the identity provider is down')
  .requiredOption('--user <id>', 'the user, who must have signed in before', uuid)
  .action(async ({ tenant: tenantId, user: userId }: { tenant: string; user: string }) => {
    const { link, expiresAt } = await inDirectory(tenantId, async (tx) => {
      await requirePerson(tx, tenantId, userId)
      const operatorUrl = operatorUrlOf(config())
      const invitation = { tenantId, userId, kind: 'break_glass', operatorUrl, now: systemClock() } as const
      const issued = await issueInvitation(tx, config().secretPeppers, invitation)
      const subject = { type: 'user', id: userId }
      const after = { expires_at: issued.expiresAt.toISOString() }
      await audit(tx, { action: 'emergency_link.created', subject, after })
      await (await teamNotification(tx, tenantId))('emergency link created', userId)
      return issued
    })
    print({ tenant_id: tenantId, user_id: userId, link, expires_at: expiresAt.toISOString() })
    printNote(
      'The link works once. Its session cannot confirm anything for 24 hours. Everyone with the duty team is notified.',
    )
  })

tenantCommand('remove-passkeys', 'service')
  .description('remove all passkeys of a person who lost them and signs in at an identity provider')
  .requiredOption('--user <id>', 'the user, who must have signed in before', uuid)
  .action(async ({ tenant: tenantId, user: userId }: { tenant: string; user: string }) => {
    const identityId = await inDirectory(tenantId, (tx) => requirePerson(tx, tenantId, userId))
    const access = { tenantId, identityId, access: 'write' } as const
    const removed = await withDatabases(async ({ databases }) => {
      const count = await inDirectoryTransaction(databases, access, async (tx) => {
        const facts = await findSignInFacts(tx, tenantId)
        if (!facts?.identityProvider)
          throw new MaintainError(
            'Without an identity provider the person could not sign in: remove and invite the user.',
          )
        const deleted = await deletePasskeys(tx, identityId)
        await revokeSessions(tx, { tenantId, identityId }, systemClock())
        const subject = { type: 'user', id: userId }
        await audit(tx, { action: 'passkey.removed', subject, after: { count: deleted } })
        await (await teamNotification(tx, tenantId))('passkeys removed', userId)
        return deleted
      })
      await endSessionsEverywhere(databases, identityId)
      return count
    })
    print({ tenant_id: tenantId, user_id: userId, removed })
    printNote(
      'The person can register a new passkey within five minutes of signing in. ' +
        'Everyone with the duty team is notified.',
    )
  })

/** Returns the identity of the person behind a user. */
async function requirePerson(tx: Transaction, tenantId: string, userId: string): Promise<string> {
  const user = await findUser(tx, { tenantId, userId })
  if (user?.identityId) return user.identityId
  throw new MaintainError(`Tenant ${tenantId} has no user ${userId} who has signed in before.`)
}

/** Ends the person's sessions in all tenants: a stolen one in another tenant could switch to this one. */
async function endSessionsEverywhere(databases: Databases, identityId: string): Promise<void> {
  const users = await inDirectoryTransaction(databases, { identityId, access: 'read' }, (tx) =>
    selectUsersOfIdentity(tx, identityId),
  )
  for (const { tenantId } of users)
    await inDirectoryTransaction(databases, { tenantId, access: 'write' }, (tx) =>
      revokeSessions(tx, { tenantId, identityId }, systemClock()),
    )
}

tenantCommand('set-provider', 'service')
  .description('set where the people of a tenant sign in; ends their sessions and mails each a new invitation')
  .option('--provider <name>', 'the identity provider, from OIDC_PROVIDERS; without it: passkeys', provider)
  .action(async (options: { tenant: string; provider?: string }) => {
    const { tenant: tenantId, provider: name = null } = options
    const invited = await inDirectory(tenantId, async (tx) => {
      const facts = await findSignInFacts(tx, tenantId)
      if (!facts) throw new MaintainError(`Tenant ${tenantId} does not exist.`)
      if (facts.identityProvider === name) return 0
      await setIdentityProvider(tx, tenantId, name)
      // The new provider does not know the people of the old one.
      const users = await unbindPeople(tx, tenantId)
      await revokeSessions(tx, { tenantId }, systemClock())
      for (const userId of users)
        await enqueueJob(tx, mailInvitation, { tenant_id: tenantId, user_id: userId, invited_by: null })
      await audit(tx, {
        action: 'tenant.identity_provider_changed',
        subject: { type: 'tenant', id: tenantId },
        before: { identity_provider: facts.identityProvider },
        after: { identity_provider: name, invited: users.length },
      })
      return users.length
    })
    print({ tenant_id: tenantId, provider: name ?? 'passkeys', invited })
  })
