// Commands that move tenants between cells.
import { setTimeout as sleep } from 'node:timers/promises'
import { connectForMaintenance } from '../../platform/postgres/maintenance-client.ts'
import { limit } from '../program/arguments.ts'
import { audit, command, config, inTenant, MaintainError, print, printNote } from '../program/program.ts'
import { tenantCommand } from '../program/tenant-command.ts'
import { estimateMove } from '../relocation/estimate-move.ts'
import { finishMove } from '../relocation/finish-move.ts'
import { type MoveContext, moveTenant } from '../relocation/move-tenant.ts'
import { findCellName, isDirectoryDatabase, selectResidents } from '../relocation/prerequisites.sql.ts'
import type { MovingCell } from '../relocation/replication.sql.ts'
import { findMove, lockMove, selectMoves, type TenantMove, unlockMove } from '../relocation/tenant-move.sql.ts'

interface MoveOptions {
  tenant: string
  to?: string
  back?: boolean
  dryRun?: boolean
}

tenantCommand('move-tenant', 'superuser')
  .description('move a tenant to another cell while it is served; run it again if it was interrupted')
  .option('--to <cell>', 'the cell that it moves to')
  .option('--back', 'move it back to the cell that it came from, instead of --to')
  .option('--dry-run', 'check the prerequisites and estimate the size; change nothing')
  .action(async ({ tenant: tenantId, to, back, dryRun }: MoveOptions) => {
    if ((to === undefined) === !back) throw new MaintainError('Set either --to or --back.')
    await withMoves(async (context) => {
      const target = to ?? (await cellToReturnTo(context, tenantId))
      if (dryRun) {
        const { problems, rows, bytes, seconds, from } = await estimateMove(context, tenantId, target)
        print({ tenant_id: tenantId, from, to: target, rows, bytes, estimated_copy_seconds: seconds })
        if (problems.length > 0) throw new MaintainError(problems.join('\n'))
        printNote('The prerequisites are met. Nothing was changed.')
        return
      }
      await moveOne(context, tenantId, target)
    })
  })

tenantCommand('finish-move', 'superuser')
  .description("stop replicating a moved tenant's changes back, and delete the rows in the cell that it is not in")
  .option('--cell <name>', 'after a restore: the cell whose rows of the tenant are deleted')
  .action(async ({ tenant: tenantId, cell: restoredCell }: { tenant: string; cell?: string }) => {
    await withMoves(async (context) => {
      await lockMove(context.directory, tenantId)
      const { cell, cleaned, rows } = await finishMove(context, tenantId, restoredCell)
      print({ tenant_id: tenantId, cell, rows_deleted: rows, deleted_in: cleaned })
    })
  })

command('list-moves', 'owner')
  .description('list the tenants that are moving, or have moved and can still move back')
  .action(async () => {
    const moves = await withMoves(({ directory }) => selectMoves(directory))
    for (const { tenantId, from, to, step, startedAt } of moves)
      print({ tenant_id: tenantId, from, to, step, started_at: startedAt })
    if (moves.length === 0) printNote('No tenant is moving or has moved.')
  })

command('drain-cell', 'superuser')
  .description('move every tenant of a cell to another one, one after the other; run it again if it was interrupted')
  .requiredOption('--cell <name>', 'the cell to empty')
  .requiredOption('--to <cell>', 'the cell that they move to')
  .option('--pause-seconds <number>', 'how long to wait between two moves', limit(0, 3_600), 10)
  .action(async ({ cell, to, pauseSeconds }: { cell: string; to: string; pauseSeconds: number }) => {
    const moved = await withMoves(async (context) => {
      const { client } = await context.cellOf(cell)
      let count = 0
      // Includes tenants that are created here meanwhile.
      for (let [tenantId] = await selectResidents(client); tenantId; [tenantId] = await selectResidents(client)) {
        if (count > 0) await sleep(pauseSeconds * 1_000)
        await moveOne(context, tenantId, to)
        count += 1
      }
      return count
    })
    print({ cell, to, tenants_moved: moved })
    printNote('Run maintain finish-move for each tenant before the cell is removed; maintain list-moves lists them.')
  })

async function moveOne(context: MoveContext, tenantId: string, target: string): Promise<void> {
  await lockMove(context.directory, tenantId)
  const { from, to, epoch, pauseMs, tablesCompared } = await moveTenant(context, tenantId, target)
  await unlockMove(context.directory, tenantId)
  print({
    tenant_id: tenantId,
    from,
    to,
    epoch: Number(epoch),
    ...(pauseMs !== undefined && { pause_ms: Math.round(pauseMs) }),
    tables_compared: tablesCompared,
  })
  printNote('It can return with --back until maintain finish-move deletes the rows that it left behind.')
}

async function cellToReturnTo({ directory }: MoveContext, tenantId: string): Promise<string> {
  const move = await findMove(directory, tenantId)
  if (!move) throw new MaintainError('The tenant has not moved, or what it left behind was deleted: set --to.')
  // An interrupted move back has swapped the two already.
  return move.step === 'moved' ? move.from : move.to
}

/** Runs work on cells and directory, with the logins that own them. */
export async function withMoves<Result>(work: (context: MoveContext) => Promise<Result>): Promise<Result> {
  const { ownerDatabaseUrl, ownerCells } = config()
  const directory = await connectForMaintenance(ownerDatabaseUrl, 'move-tenant')
  const opened = new Map<string, MovingCell>()
  const cellOf = async (name: string): Promise<MovingCell> => {
    const known = opened.get(name)
    if (known) return known
    const url = ownerCells.get(name)
    if (!url)
      throw new MaintainError(`Cell ${name} does not exist: add it with add-cell, or to OWNER_CELLS if CELLS is set.`)
    const client = await connectForMaintenance(url, 'move-tenant')
    const cell = { name, url, client, isDirectory: await isDirectoryDatabase(client) }
    opened.set(name, cell)
    const found = await findCellName(client)
    if (found !== name)
      throw new MaintainError(`The database of cell ${name} says that it is ${found}: correct its address.`)
    return cell
  }
  try {
    return await work({ directory, cellOf, report: (line) => process.stderr.write(`${line}\n`), audit: auditMove })
  } finally {
    for (const { client } of opened.values()) await client.end()
    await directory.end()
  }
}

async function auditMove({ tenantId, from, to, epoch }: TenantMove): Promise<void> {
  const subject = { type: 'tenant', id: tenantId }
  await inTenant(tenantId, (tx) =>
    audit(tx, {
      action: 'tenant.moved',
      subject,
      before: { cell: from },
      after: { cell: to, epoch: Number(epoch + 1n) },
    }),
  )
}
