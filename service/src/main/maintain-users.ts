// Commands for the users of a tenant's operator API, and for its audit log.

import { tenantExists } from '../access/tenants/tenant.sql.ts'
import { addUser } from '../access/users/add-user.ts'
import { issuePersonalToken } from '../access/users/issue-personal-token.ts'
import { findUser } from '../access/users/user.sql.ts'
import type { Role } from '../platform/api/declare/duties.ts'
import { dutiesOfRole, roles } from '../platform/api/declare/duties.ts'
import { systemClock } from '../platform/base/clock.ts'
import { Placement } from '../platform/db/placement.ts'
import { inDirectoryTransaction, inTenantTransaction } from '../platform/db/tenant-transaction.ts'
import type { Transaction } from '../platform/db/transaction.ts'
import { appendAudit } from '../records/audit/append-audit.sql.ts'
import { findAuditHash, findAuditHead, findAuditProblem } from '../records/audit/audit.sql.ts'
import { auditHead, days, emailAddress, role, text, uuid } from './maintain-arguments.ts'
import {
  config,
  inDirectory,
  MaintainError,
  maintenanceActor,
  print,
  printNote,
  program,
  withDatabases,
} from './maintain-program.ts'

program
  .command('add-user')
  .description('add a user to the operator API of a tenant; admins are notified of problems by e-mail')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .requiredOption('--name <name>', 'the name of the user', text(200))
  .requiredOption('--email <address>', 'the e-mail address of the user', emailAddress)
  .option('--role <role>', `the role: ${roles.join(', ')}`, role, 'admin')
  .action(async (options: { tenant: string; name: string; email: string; role: Role }) => {
    const { tenant: tenantId, name, email } = options
    const userId = await inDirectory(tenantId, async (tx) => {
      const duties = dutiesOfRole[options.role].map((duty) => ({ duty, offeringIds: null }))
      const added = await addUser(tx, { tenantId, kind: 'person', name, email, invitedBy: null, duties })
      if ('rejected' in added)
        throw new MaintainError(
          added.rejected === 'tenant not found'
            ? `Tenant ${tenantId} does not exist.`
            : `The tenant already has a user with the e-mail address ${email}.`,
        )
      await appendAudit(tx, maintenanceActor, {
        action: 'user.added',
        subject: { type: 'user', id: added.userId },
        after: { role: options.role, changed: ['name', 'email'] },
      })
      return added.userId
    })
    print({ user_id: userId, tenant_id: tenantId, name, email, role: options.role })
  })

program
  .command('issue-token')
  .description('issue a personal access token with which a user calls the operator API')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .requiredOption('--user <id>', 'the user', uuid)
  .option('--name <name>', 'a name for the token', text(200), 'issued by maintain')
  .option('--days <number>', 'the number of days until it expires', days, 90)
  .action(async (options: { tenant: string; user: string; name: string; days: number }) => {
    const { tenant: tenantId, user: userId } = options
    const issued = await inDirectory(tenantId, async (tx) => {
      if (!(await findUser(tx, { tenantId, userId })))
        throw new MaintainError(`Tenant ${tenantId} has no user ${userId}.`)
      const token = { tenantId, userId, sessionId: null, name: options.name, now: systemClock(), days: options.days }
      const created = await issuePersonalToken(tx, config().secretPeppers, token)
      await appendAudit(tx, maintenanceActor, {
        action: 'personal_token.issued',
        subject: { type: 'personal_token', id: created.tokenId },
        after: { user_id: userId, expires_at: created.expiresAt.toISOString() },
      })
      return created
    })
    print({
      tenant_id: tenantId,
      user_id: userId,
      token_id: issued.tokenId,
      token: issued.token,
      expires_at: issued.expiresAt.toISOString(),
    })
    printNote('The token is shown only once and cannot be retrieved later: store it now.')
  })

program
  .command('verify-audit')
  .description('verify the hash chains of the audit log of a tenant, in the directory and in its cell')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .option(
    '--expect <sequence:hash>',
    'a head printed earlier; fails unless one of the chains still contains it; can be repeated',
    (value: string, previous: AuditHead[]) => [...previous, auditHead(value)],
    [],
  )
  .action(async ({ tenant: tenantId, expect: expected }: { tenant: string; expect: AuditHead[] }) => {
    const [directory, cell] = await withDatabases(async (databases) => {
      const verify = (tx: Transaction) => verifyChain(tx, tenantId, expected)
      const directoryChain = await inDirectoryTransaction(databases, { tenantId, access: 'read' }, async (tx) => {
        if (!(await tenantExists(tx, tenantId))) throw new MaintainError(`Tenant ${tenantId} does not exist.`)
        return verify(tx)
      })
      const tenantDatabases = { databases, placement: new Placement(databases) }
      const cellChain = await inTenantTransaction(tenantDatabases, { tenantId, access: 'read' }, verify)
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
  const [found, head, ...hashes] = await Promise.all([
    findAuditProblem(tx),
    findAuditHead(tx, tenantId),
    ...expected.map(({ sequence }) => findAuditHash(tx, tenantId, sequence)),
  ])
  return {
    head: head ? `${head.sequence}:${head.hash.toString('hex')}` : 'empty',
    problem: found && `at row ${found.sequence}: ${found.problem}`,
    found: expected.map(({ hash }, index) => hashes[index]?.hash.toString('hex') === hash),
  }
}
