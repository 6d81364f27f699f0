// Commands for the cells of the directory.
import {
  type CellState,
  cellStates,
  insertCell,
  selectCellsAsOwner,
  updateCellState,
} from '../../platform/postgres/cell.sql.ts'
import { withAddress } from '../../platform/postgres/cell-address.ts'
import { selectLeaseCounts } from '../../platform/postgres/cells/cell-lease.sql.ts'
import { inOwnerConnection } from '../../platform/postgres/owner-connection.ts'
import { migrateDatabase } from '../migrate/migrate.ts'
import { cellAddress, cellName, jurisdiction, limit, oneWordOf } from '../program/arguments.ts'
import { command, config, MaintainError, print, printRows } from '../program/program.ts'

const bytesPerGigabyte = 1e9

command('add-cell', 'owner')
  .description('migrate an empty database and list it as a cell; processes use it within seconds, without a restart')
  .requiredOption('--cell <name>', 'the name of the cell', cellName)
  .requiredOption('--address <url>', 'postgres://host:5432/database, without login and password', cellAddress)
  .option('--capacity <gigabytes>', 'how large the database may become', limit(1, 100_000), 500)
  .option('--jurisdiction <code>', 'where the data is, such as EU or CH', jurisdiction)
  .action(async (options: { cell: string; address: string; capacity: number; jurisdiction?: string }) => {
    const { cell: name, address } = options
    const { areCellsListed, ownerDatabaseUrl } = config()
    if (areCellsListed)
      throw new MaintainError('CELLS is set, so processes ignore the cells of the directory: remove CELLS first.')
    // Migrates the database first: a tenant may be created in the cell as soon as it is listed.
    const applied: string[] = []
    const cell = { isDirectory: false, cell: name }
    await migrateDatabase(withAddress(ownerDatabaseUrl, address), cell, (line) => applied.push(line))
    const isNew = await inOwnerConnection(ownerDatabaseUrl, (client) =>
      insertCell(client, {
        name,
        address,
        state: 'open',
        jurisdiction: options.jurisdiction ?? null,
        capacityBytes: options.capacity * bytesPerGigabyte,
      }),
    )
    if (!isNew) throw new MaintainError(`Cell ${name} exists already.`)
    print({ cell: name, state: 'open', address, applied: applied.length })
  })

command('list-cells', 'owner')
  .description('print the cells of the directory, how full they are, and how many processes serve them')
  .action(async () => {
    const [cells, leases] = await inOwnerConnection(config().ownerDatabaseUrl, async (client) => [
      await selectCellsAsOwner(client),
      await selectLeaseCounts(client),
    ])
    const leasesOf = (cell: string, kind: string) =>
      leases.find((one) => one.cell === cell && one.kind === kind)?.count ?? 0
    const rows = cells.map((cell) => ({
      cell: cell.name,
      state: cell.state,
      jurisdiction: cell.jurisdiction,
      tenants: cell.tenantCount,
      used_gb: Number((cell.usedBytes / bytesPerGigabyte).toFixed(1)),
      capacity_gb: Math.round(cell.capacityBytes / bytesPerGigabyte),
      measured_at: cell.measuredAt?.toISOString() ?? null,
      leases_of_workers: leasesOf(cell.name, 'worker'),
      leases_of_indexers: leasesOf(cell.name, 'indexer'),
      address: cell.address ?? 'with the directory',
    }))
    printRows('cells', rows)
  })

command('set-cell-state', 'owner')
  .description('say whether new tenants may be created in a cell')
  .requiredOption('--cell <name>', 'the cell', cellName)
  .requiredOption(
    '--state <state>',
    `${cellStates.join(', ')}; the latter two get no new tenants`,
    oneWordOf(cellStates),
  )
  .action(async ({ cell, state }: { cell: string; state: CellState }) => {
    const isKnown = await inOwnerConnection(config().ownerDatabaseUrl, (client) => updateCellState(client, cell, state))
    if (!isKnown) throw new MaintainError(`Cell ${cell} does not exist.`)
    print({ cell, state })
  })
