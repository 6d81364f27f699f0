// Commands for the users of a tenant's operator API, and for its audit log.

import { mailInvitation } from '../../access/invitations/mail-invitation.job.ts'
import { tenantExists } from '../../access/tenants/tenant.sql.ts'
import { addUser } from '../../access/users/add-user.ts'
import { teamNotification } from '../../access/users/team-notification.ts'
import type { Role } from '../../platform/api/declare/duties.ts'
import { dutiesOfRole, roles } from '../../platform/api/declare/duties.ts'
import { enqueueJob } from '../../platform/jobs/enqueue.sql.ts'
import { inDirectoryTransaction, inTenantTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { findAuditHash, findAuditHead, findAuditProblem } from '../../records/audit/audit.sql.ts'
import { auditHead, emailAddress, oneWordOf, text } from '../program/arguments.ts'
import { audit, inDirectory, MaintainError, print, printNote, withDatabases } from '../program/program.ts'
import { tenantCommand } from '../program/tenant-command.ts'

tenantCommand('add-user', 'service')
  .description('invite a person to the operator API of a tenant; everyone with the duty team is notified by mail')
  .requiredOption('--name <name>', 'the name of the person', text(200))
  .requiredOption('--email <address>', 'the e-mail address of the person', emailAddress)
  .option('--role <role>', `the role: ${roles.join(', ')}`, oneWordOf(roles), 'admin')
  .action(async (options: { tenant: string; name: string; email: string; role: Role }) => {
    const { tenant: tenantId, ...person } = options
    const userId = await invitePerson(tenantId, person)
    print({ user_id: userId, tenant_id: tenantId, name: person.name, email: person.email, role: person.role })
    printNote('The person gets a mail with a link. It works once and expires after seven days.')
  })

/** Adds a person and mails them their invitation link. They have no inviter: the installation invites them. */
export function invitePerson(tenantId: string, person: { name: string; email: string; role: Role }): Promise<string> {
  return inDirectory(tenantId, async (tx) => {
    const { name, email } = person
    const duties = dutiesOfRole[person.role].map((duty) => ({ duty, offeringIds: null }))
    const notify = await teamNotification(tx, tenantId)
    const added = await addUser(tx, { tenantId, kind: 'person', name, email, invitedBy: null, duties })
    if ('rejected' in added)
      throw new MaintainError(
        added.rejected === 'tenant not found'
          ? `Tenant ${tenantId} does not exist.`
          : `The tenant already has a user with the e-mail address ${email}.`,
      )
    const { userId } = added
    await enqueueJob(tx, mailInvitation, { tenant_id: tenantId, user_id: userId, invited_by: null })
    await notify('user added', userId)
    await audit(tx, {
      action: 'user.invited',
      subject: { type: 'user', id: userId },
      after: { role: person.role, changed: ['name', 'email'] },
    })
    return userId
  })
}

tenantCommand('verify-audit', 'service')
  .description('verify the hash chains of the audit log of a tenant, in the directory and in its cell')
  .option(
    '--expect <sequence:hash>',
    'a head printed earlier; fails unless one of the chains still contains it; can be repeated',
    (value: string, previous: AuditHead[]) => [...previous, auditHead(value)],
    [],
  )
  .action(async ({ tenant: tenantId, expect: expected }: { tenant: string; expect: AuditHead[] }) => {
    const [directory, cell] = await withDatabases(async (opened) => {
      const verify = (tx: Transaction) => verifyChain(tx, tenantId, expected)
      const directoryChain = await inDirectoryTransaction(
        opened.databases,
        { tenantId, access: 'read' },
        async (tx) => {
          if (!(await tenantExists(tx, tenantId))) throw new MaintainError(`Tenant ${tenantId} does not exist.`)
          return verify(tx)
        },
      )
      const cellChain = await inTenantTransaction(opened, { tenantId, access: 'read' }, verify)
      return [directoryChain, cellChain] as const
    })
    print({ tenant_id: tenantId, directory: directory.head, cell: cell.head })
    const problems = [
      ...(directory.problem ? [`The audit log in the directory is broken ${directory.problem}.`] : []),
      ...(cell.problem ? [`The audit log in the cell is broken ${cell.problem}.`] : []),
      ...expected
        .filter((_, index) => !directory.found[index] && !cell.found[index])
        .map(({ sequence, hash }) => `No audit log of the tenant contains the row ${sequence}:${hash} any more.`),
    ]
    if (problems.length > 0) throw new MaintainError(problems.join('\n'))
    printNote('Both chains are intact. Store these heads elsewhere: the owner of a database can rewrite its whole log.')
  })

interface AuditHead {
  sequence: number
  hash: string
}

async function verifyChain(
  tx: Transaction,
  tenantId: string,
  expected: readonly AuditHead[],
): Promise<{ head: string; problem: string | undefined; found: boolean[] }> {
  const [found, head, ...hashes] = await tx.batch(
    (tx) => findAuditProblem(tx),
    (tx) => findAuditHead(tx, tenantId),
    ...expected.map(
      ({ sequence }) =>
        (tx: Transaction) =>
          findAuditHash(tx, tenantId, sequence),
    ),
  )
  return {
    head: head ? `${head.sequence}:${head.hash.toString('hex')}` : 'empty',
    problem: found && `at row ${found.sequence}: ${found.problem}`,
    found: expected.map(({ hash }, index) => hashes[index]?.hash.toString('hex') === hash),
  }
}
