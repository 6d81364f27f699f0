// Serves the copy of a tenant whose rows a restore has lost.

import { limit } from '../program/arguments.ts'
import {
  chainsOfConfig,
  config,
  MaintainError,
  maintenanceActor,
  print,
  printNote,
  silentLog,
} from '../program/program.ts'
import { tenantCommand } from '../program/tenant-command.ts'
import { lockMove } from '../relocation/tenant-move.sql.ts'
import { findCopy, serveCopy } from '../restore/serve-copy.ts'
import { withMoves } from './moves.ts'

interface ServeCopyOptions {
  tenant: string
  cell: string
  acceptLoss?: boolean
  pendingSeconds: number
  acceptPending?: boolean
}

tenantCommand('serve-copy', 'superuser')
  .description('serve a tenant that after-restore calls NOT SERVED from the copy in a cell that it has left')
  .requiredOption('--cell <name>', 'the cell with the copy')
  .option('--accept-loss', 'serve it; without this, the command says what is lost and changes nothing')
  .option('--pending-seconds <number>', 'how long to wait for pending transactions', limit(0, 86_400), 300)
  .option('--accept-pending', 'serve it although transactions of its signer are still pending')
  .action(async ({ tenant: tenantId, cell, acceptLoss, pendingSeconds, acceptPending }: ServeCopyOptions) => {
    await withMoves(async (moves) => {
      const { directory } = moves
      await lockMove(directory, tenantId)
      const copy = await findCopy(moves, { tenantId, cell, cells: [...config().ownerCells.keys()] })
      const found = { changed_until: copy.changedAt ?? 'never', last_event: Number(copy.lastEvent) }
      if (!acceptLoss) {
        print({ tenant_id: tenantId, cell, ...found })
        throw new MaintainError(
          `The copy ends at ${found.changed_until}, with event ${found.last_event}: what cell ${copy.location.cell} ` +
            'accepted after that is lost. Nothing was changed. If that cell cannot be restored to a later moment, ' +
            'add --accept-loss.',
        )
      }
      const context = { config: config(), chains: chainsOfConfig(), log: silentLog, by: maintenanceActor, directory }
      const options = { pendingSeconds, mayStayPending: acceptPending ?? false }
      const { epoch, lines } = await serveCopy(context, copy, options)
      print({ tenant_id: tenantId, cell, epoch: Number(epoch), ...found, report: lines })
    })
    printNote(
      'Inform the integrator, who reads everything again, and import the bank statements since then. If maintain ' +
        'list-moves lists the tenant, run maintain finish-move.',
    )
  })
