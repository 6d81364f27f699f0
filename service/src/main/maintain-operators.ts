// The commands about those who run a tenant, and about what they did.

import { addUser } from '../access/tenants/add-user.ts'
import { tenantExists } from '../access/tenants/tenant.sql.ts'
import { issuePersonalToken } from '../access/users/issue-personal-token.ts'
import { findPresentUser } from '../access/users/user.sql.ts'
import type { Role } from '../platform/api/declare/roles.ts'
import { roles } from '../platform/api/declare/roles.ts'
import { Placement } from '../platform/db/placement.ts'
import { inDirectoryTransaction, inTenantTransaction } from '../platform/db/tenant-transaction.ts'
import type { Transaction } from '../platform/db/transaction.ts'
import { appendAudit } from '../records/audit/append-audit.sql.ts'
import { findAuditHash, findAuditHead, findBrokenAudit } from '../records/audit/audit.sql.ts'
import { auditPlace, days, emailAddress, role, text, uuid } from './maintain-arguments.ts'
import { config, inDirectory, maintenance, print, program, Refused, remark, withDatabases } from './maintain-program.ts'

program
  .command('add-user')
  .description('add a person who runs the tenant; those with the role user are told when something is wrong')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .requiredOption('--name <name>', 'name of the person', text(200))
  .requiredOption('--email <address>', 'where to write to', emailAddress)
  .option('--role <role>', `what they may do; of ${roles.join(', ')}`, role, 'admin')
  .action(async (options: { tenant: string; name: string; email: string; role: Role }) => {
    const { tenant: tenantId, name, email } = options
    const userId = await inDirectory(tenantId, async (tx) => {
      const added = await addUser(tx, { tenantId, name, email, role: options.role })
      if ('refused' in added)
        throw new Refused(
          added.refused === 'no such tenant'
            ? `There is no tenant ${tenantId}.`
            : `${email} is an user of this tenant already.`,
        )
      await appendAudit(tx, maintenance, {
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
  .description('make a personal access token with which an user calls the operator API')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .requiredOption('--user <id>', 'whose it is', uuid)
  .option('--name <name>', 'what it is for', text(200), 'made by maintain')
  .option('--days <number>', 'after how many days it ends', days, 90)
  .action(async (options: { tenant: string; user: string; name: string; days: number }) => {
    const { tenant: tenantId, user: userId } = options
    const issued = await inDirectory(tenantId, async (tx) => {
      if (!(await findPresentUser(tx, { tenantId, userId })))
        throw new Refused(`Tenant ${tenantId} has no user ${userId}.`)
      const wanted = { tenantId, userId, name: options.name, now: new Date(), days: options.days }
      const made = await issuePersonalToken(tx, config().secretPeppers, wanted)
      await appendAudit(tx, maintenance, {
        action: 'personal_token.issued',
        subject: { type: 'personal_token', id: made.tokenId },
        after: { user_id: userId, expires_at: made.expiresAt.toISOString() },
      })
      return made
    })
    print({
      tenant_id: tenantId,
      user_id: userId,
      token_id: issued.tokenId,
      token: issued.token,
      expires_at: issued.expiresAt.toISOString(),
    })
    remark('The token is shown this once and stored nowhere: keep it now.')
  })

program
  .command('verify-audit')
  .description('look whether the audit log of a tenant is what was written, in the directory and in its cell')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .option(
    '--expect <sequence:hash>',
    'a head that was printed before: fails unless one of the chains still has that row; may be given more than once',
    (value: string, before: AuditPlace[]) => [...before, auditPlace(value)],
    [],
  )
  .action(async ({ tenant: tenantId, expect: expected }: { tenant: string; expect: AuditPlace[] }) => {
    const [directory, cell] = await withDatabases(async (databases) => {
      const look = (tx: Transaction) => verifyChain(tx, tenantId, expected)
      const inDirectoryNow = await inDirectoryTransaction(databases, { tenantId, access: 'read' }, async (tx) => {
        if (!(await tenantExists(tx, tenantId))) throw new Refused(`There is no tenant ${tenantId}.`)
        return look(tx)
      })
      const places = { databases, placement: new Placement(databases) }
      return [inDirectoryNow, await inTenantTransaction(places, { tenantId, access: 'read' }, look)] as const
    })
    print({ tenant_id: tenantId, directory: directory.head, cell: cell.head })
    const problems = [
      ...(directory.problem ? [`The audit log in the directory is broken ${directory.problem}.`] : []),
      ...(cell.problem ? [`The audit log in the cell is broken ${cell.problem}.`] : []),
      ...expected
        .filter((_, index) => !directory.found[index] && !cell.found[index])
        .map(({ sequence, hash }) => `No audit log of the tenant has the row ${sequence}:${hash} any more.`),
    ]
    if (problems.length > 0) throw new Refused(problems.join('\n'))
    remark('Both are whole. Keep these heads elsewhere: who owns a database can write its whole log anew.')
  })

interface AuditPlace {
  sequence: number
  hash: string
}

async function verifyChain(
  tx: Transaction,
  tenantId: string,
  expected: readonly AuditPlace[],
): Promise<{ head: string; problem: string | undefined; found: boolean[] }> {
  const [broken, head, ...hashes] = await Promise.all([
    findBrokenAudit(tx),
    findAuditHead(tx, tenantId),
    ...expected.map(({ sequence }) => findAuditHash(tx, tenantId, sequence)),
  ])
  return {
    head: head ? `${head.sequence}:${head.hash.toString('hex')}` : 'empty',
    problem: broken && `at ${broken.sequence}: ${broken.problem}`,
    found: expected.map(({ hash }, index) => hashes[index]?.hash.toString('hex') === hash),
  }
}
