// Commands for databases that were restored to an earlier moment.
import { readFileSync } from 'node:fs'
import { findPayoutStop, resumePayouts } from '../../money/payouts/payout-stop.sql.ts'
import { isUuid } from '../../platform/base/ids.ts'
import { inTenantTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import { RestoredDatabase } from '../../platform/postgres/restored-database.ts'
import { readPublishedHeads } from '../../records/restore/published-heads.ts'
import { limit, moment, text } from '../program/arguments.ts'
import {
  audit,
  chainsOfConfig,
  command,
  config,
  MaintainError,
  maintenanceActor,
  print,
  printNote,
  silentLog,
  withDatabases,
} from '../program/program.ts'
import { tenantCommand } from '../program/tenant-command.ts'
import { afterRestore } from '../restore/after-restore.ts'
import { restoreSteps } from '../restore/restore-context.ts'

interface AfterRestoreOptions {
  to: string
  cell: string[]
  directory?: boolean
  revoked?: string
  auditHeads?: string
  pendingSeconds: number
  acceptPending?: boolean
}

command('after-restore', 'owner')
  .description('prepare a database that was restored to an earlier moment, and open it; run it again if interrupted')
  .requiredOption('--to <moment>', 'the moment, with time zone, such as 2026-11-15T10:30:00.5Z', moment)
  .option('--cell <name>', 'a restored cell; can be given several times', (value, all: string[]) => [...all, value], [])
  .option('--directory', 'the directory was restored')
  .option(
    '--revoked <file>',
    'with --directory: ids of credentials, users and tenants that were revoked after the moment, one per line; an ' +
      'empty file says that there are none',
    text(4_096),
  )
  .option('--audit-heads <file>', 'what AUDIT_HEADS_URL received, or the log of a worker: one JSON object per line')
  .option('--pending-seconds <number>', 'how long to wait for pending transactions', limit(0, 86_400), 300)
  .option('--accept-pending', 'open although transactions of a signer are still pending')
  .action(async (options: AfterRestoreOptions) => {
    const { to, cell: cells, directory: isDirectory = false, pendingSeconds } = options
    if (cells.length === 0 && !isDirectory) throw new MaintainError('Set --cell, --directory, or both.')
    const { ownerCells, ownerDatabaseUrl } = config()
    const hasDirectory = isDirectory || cells.some((cell) => ownerCells.get(cell) === ownerDatabaseUrl)
    if (hasDirectory && options.revoked === undefined)
      throw new MaintainError(
        'The restored directory does not know what was revoked after the moment: give --revoked a file with the ids ' +
          'of credentials, users and tenants that the logs of the operator API name, or an empty file.',
      )
    const context = { config: config(), chains: chainsOfConfig(), log: silentLog, by: maintenanceActor }
    const prepared = await afterRestore(context, {
      to,
      cells,
      isDirectory: hasDirectory,
      revoked: options.revoked === undefined ? [] : readIds(options.revoked),
      publishedHeads: readPublishedHeads(options.auditHeads === undefined ? '' : readText(options.auditHeads)),
      pendingSeconds,
      mayStayPending: options.acceptPending ?? false,
    })
    for (const { name, report } of prepared) {
      const steps = restoreSteps.flatMap((step) => (report[step] ? [[step, report[step]] as const] : []))
      print({ database: name, restored_to: to, ...Object.fromEntries(steps), opened: true })
    }
    printNote(
      'Start both APIs and inform integrators, who may have to cancel orders again. Then start workers and indexers, ' +
        'and import the bank statements since the moment.',
    )
  })

tenantCommand('resume-payouts', 'owner')
  .description('allow payouts of a tenant after a restore although statements are missing, once its bank was asked')
  .requiredOption('--reason <text>', 'how you know that no refund was paid after the moment', text(500))
  .action(async ({ tenant: tenantId, reason }: { tenant: string; reason: string }) => {
    await withDatabases(async (opened) => {
      const cell = await opened.placement.cellOf(tenantId)
      const owner = await RestoredDatabase.connect(config().ownerCells.get(cell) ?? '')
      try {
        // First the audit entry: if this process is killed in between, an entry may lack its effect, never the reverse.
        await inTenantTransaction(opened, { tenantId, access: 'write' }, async (tx) => {
          const stop = await findPayoutStop(tx, tenantId)
          if (!stop || stop.isResumed) throw new MaintainError(`Payouts of tenant ${tenantId} are not stopped.`)
          await audit(tx, {
            action: 'tenant.payouts_resumed',
            subject: { type: 'tenant', id: tenantId },
            after: { reason },
          })
        })
        await owner.transaction((client) => resumePayouts(client, tenantId, reason))
      } finally {
        await owner.end()
      }
    })
    print({ tenant_id: tenantId, payouts_stopped: false })
  })

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new MaintainError(`File ${path} cannot be read.`)
  }
}

function readIds(path: string): string[] {
  const lines = readText(path)
    .split('\n')
    .map((line) => line.trim().toLowerCase())
  const ids = lines.filter((line) => line !== '' && !line.startsWith('#'))
  const wrong = ids.find((id) => !isUuid(id))
  if (wrong !== undefined) throw new MaintainError(`${path} must have one UUID per line: ${wrong} is none.`)
  return ids
}
