/**
 * Prepares databases that were restored to an earlier moment, and opens them. The order matters: nobody may connect
 * before event numbers are raised and tokens revoked, and no signer may sign before its nonce is above all that it
 * used.
 */
import type pg from 'pg'
import { expirePendingApprovals, selectPlacements } from '../../access/restore/revoke-after-restore.sql.ts'
import type { Config } from '../../platform/base/config.ts'
import { inCellTransaction, inDirectoryTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import { type Databases, openOwnerDatabases } from '../../platform/postgres/pools.ts'
import { RestoredDatabase, RestoreRejected, type StepReport } from '../../platform/postgres/restored-database.ts'
import { selectTenantIdsAsOwner } from '../../platform/postgres/vault.ts'
import { raiseEventNumbers, restoreGap } from '../../records/restore/raise-event-numbers.sql.ts'
import { recordRestore } from '../../records/restore/record-restore.ts'
import { selectYoungerRows } from '../../records/restore/younger-rows.sql.ts'
import { prepareCell } from './prepare-cell.ts'
import { prepareDirectory } from './prepare-directory.ts'
import { prepareResidence } from './prepare-residence.ts'
import {
  type RestoreContext,
  type RestoreOptions,
  type RestoreStep,
  type RestoreTarget,
  type StepContext,
  step,
} from './restore-context.ts'

export interface PreparedDatabase {
  readonly name: string
  readonly report: Readonly<Partial<Record<RestoreStep, StepReport>>>
}

export async function afterRestore(context: RestoreContext, options: RestoreOptions): Promise<PreparedDatabase[]> {
  const opened: { target: RestoreTarget; database: RestoredDatabase }[] = []
  let databases: Databases | undefined
  try {
    for (const target of targetsOf(context.config, options)) {
      const database = await RestoredDatabase.connect(target.url)
      opened.push({ target, database })
      await database.close(options.to)
    }
    for (const { target, database } of opened)
      await step(database, 'closed', (client) => rejectYounger(client, target, options))
    await prepareResidence(context, opened)
    databases = openOwnerDatabases(context.config, context.log)
    for (const { target, database } of opened) {
      const { cell } = target
      const stepContext = { ...context, databases, database }
      if (cell) await step(database, 'event numbers', (client) => raise(client, options))
      if (target.isDirectory) await prepareDirectory(stepContext, options)
      await step(database, 'approvals', async (client) => [
        `${await expirePendingApprovals(client)} requests for a second person ended: propose again what is wanted`,
      ])
      if (cell) await prepareCell({ ...stepContext, cell }, options)
      await recordInAudit(stepContext, target, options)
    }
    for (const { database } of opened) await database.open()
    return opened.map(({ target, database }) => ({ name: nameOf(target), report: database.report }))
  } finally {
    await databases?.end()
    for (const { database } of opened) await database.end()
  }
}

function nameOf({ cell, isDirectory }: RestoreTarget): string {
  return [isDirectory ? 'directory' : '', cell ? `cell ${cell}` : ''].filter(Boolean).join(' and ')
}

/** Returns one target per database: one that is both a cell and the directory is prepared as both. */
function targetsOf({ ownerDatabaseUrl, ownerCells }: Config, { cells, isDirectory }: RestoreOptions): RestoreTarget[] {
  const urls = new Set(
    cells.map((cell) => {
      const url = ownerCells.get(cell)
      if (!url) throw new RestoreRejected(`OWNER_CELLS does not list cell ${cell}: add it.`)
      return url
    }),
  )
  if (isDirectory) urls.add(ownerDatabaseUrl)
  const cellOfUrl = new Map([...ownerCells].map(([cell, url]) => [url, cell]))
  return [...urls].map((url) => ({ url, cell: cellOfUrl.get(url), isDirectory: url === ownerDatabaseUrl }))
}

async function rejectYounger(client: pg.Client, target: RestoreTarget, { to }: RestoreOptions): Promise<StepReport> {
  const kinds = { isCell: target.cell !== undefined, isDirectory: target.isDirectory }
  const younger = await selectYoungerRows(client, to, kinds)
  if (younger.length > 0)
    throw new RestoreRejected(
      `The ${nameOf(target)} has rows from after ${to}: ` +
        `${younger.map(({ table, count, newest }) => `${count} in ${table}, the newest of ${newest}`).join('; ')}. ` +
        'Either --to is not the moment of the restore, or a process has written since: then restore again.',
    )
  return ['no other connection, and nothing was written since the restore']
}

async function raise(client: pg.Client, { to }: RestoreOptions): Promise<StepReport> {
  const tenants = await raiseEventNumbers(client, to)
  return [`raised by ${restoreGap.toLocaleString('en')} for ${tenants} tenants, with an event events.restored each`]
}

async function recordInAudit(
  { databases, database, by }: StepContext,
  { cell, isDirectory }: RestoreTarget,
  { to, publishedHeads }: RestoreOptions,
): Promise<void> {
  await database.repeatableStep('audit log', async () => {
    const placements = isDirectory ? await database.transaction(selectPlacements) : []
    const ids = new Set(placements.map(({ tenantId }) => tenantId))
    if (cell) for (const id of await database.transaction(selectTenantIdsAsOwner)) ids.add(id)
    const lines: string[] = []
    for (const tenantId of ids) {
      const restore = { tenantId, restoredTo: to, published: publishedHeads.get(tenantId) }
      const found = cell
        ? await inCellTransaction(databases, { cell, tenantId }, (tx) => recordRestore(tx, by, restore))
        : await inDirectoryTransaction(databases, { tenantId, access: 'write' }, (tx) => recordRestore(tx, by, restore))
      if (found === 'entries lost')
        lines.push(`tenant ${tenantId}: the log ends before the published entry ${restore.published?.sequence}`)
    }
    return [`an entry tenant.restored for ${ids.size} tenants`, ...lines]
  })
}
