// The command that exports everything about a tenant, for its departure.
import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, mkdir, open, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createOwnerPool } from '../../platform/postgres/pools.ts'
import { Vaults } from '../../platform/postgres/vault.ts'
import { type ExportedTable, exportTenant } from '../export/export-tenant.sql.ts'
import { text } from '../program/arguments.ts'
import { audit, config, inTenant, MaintainError, print, printNote, withDatabases } from '../program/program.ts'
import { tenantCommand } from '../program/tenant-command.ts'
import { sealedColumns } from '../restore/sealed-columns.ts'

/** Tables with copies, caches and data that works only inside this installation. */
const tables: ReadonlySet<string> = new Set([
  'cell.data_key',
  'cell.export',
  'cell.export_chunk',
  'cell.idempotency',
  'cell.search_term',
  'cell.simulated_wallet',
])

/** Secrets, and hashes of secrets. A signing key in a file would be worth all tokens of the tenant. */
const columns: ReadonlySet<string> = new Set(['key_data', 'mac', 'previous_secret', 'secret'])

tenantCommand('export-tenant', 'owner')
  .description('write every row of a tenant to a new folder, decrypted, one file of JSON lines per table')
  .requiredOption('--folder <path>', 'a folder that does not exist yet; only its owner can read it', text(4_096))
  .action(async ({ tenant: tenantId, folder }: { tenant: string; folder: string }) => {
    const cell = await withDatabases(({ placement }) => placement.cellOf(tenantId))
    const cellUrl = config().ownerCells.get(cell)
    if (!cellUrl) throw new MaintainError(`OWNER_CELLS does not list cell ${cell}: add it.`)
    const directoryUrl = config().ownerDatabaseUrl
    const target = await createFolder(folder)
    // Recorded first: an interrupted export has read data too.
    const subject = { type: 'tenant', id: tenantId }
    await inTenant(tenantId, (tx) => audit(tx, { action: 'tenant.exported', subject }))
    const files = [
      ...(await exportDatabase(tenantId, { url: cellUrl, schemas: ['base', 'cell'], folder: [target, 'cell'] })),
      ...(await exportDatabase(tenantId, {
        url: directoryUrl,
        // If one database is both cell and directory, the cell's files contain its audit log and approvals already.
        schemas: directoryUrl === cellUrl ? ['directory'] : ['base', 'directory'],
        folder: [target, 'directory'],
      })),
    ]
    const sum = (of: 'rows' | 'damaged') => files.reduce((total, file) => total + file[of], 0)
    const manifest = { tenant_id: tenantId, left_out: { tables: [...tables], columns: [...columns] }, files }
    const owned = { mode: 0o600, flag: 'wx' }
    await writeFile(join(target, 'manifest.json'), `${JSON.stringify(manifest, undefined, 2)}\n`, owned)
    print({ tenant_id: tenantId, folder: target, files: files.length, rows: sum('rows'), damaged: sum('damaged') })
    printNote('The files contain personal data in plain text: encrypt them before they leave this machine.')
  })

async function createFolder(path: string): Promise<string> {
  const folder = resolve(path)
  try {
    await mkdir(folder, { mode: 0o700 })
    for (const name of ['cell', 'directory']) await mkdir(join(folder, name), { mode: 0o700 })
    return folder
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new MaintainError(`Folder ${folder} exists already: name a new one.`)
    if (code === 'ENOENT') throw new MaintainError(`The folder that contains ${folder} does not exist: create it.`)
    if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
      throw new MaintainError(
        `The folder that contains ${folder} is not writable (${code}): name one in a volume that is, such as /files ` +
          'in docs/operations/maintain.md.',
      )
    throw error
  }
}

interface ExportedFile extends ExportedTable {
  readonly file: string
  readonly sha256: string
}

async function exportDatabase(
  tenantId: string,
  { url, schemas, folder: [target, name] }: { url: string; schemas: readonly string[]; folder: [string, string] },
): Promise<ExportedFile[]> {
  const pool = createOwnerPool(url)
  const written = new Map<string, { handle: FileHandle; hash: Hash }>()
  const fileOf = (table: string) => `${name}/${table}.jsonl`
  try {
    const vaults = new Vaults(config().dataMasterKeys)
    const write = async (table: string, lines: string) => {
      const file = written.get(table) ?? {
        handle: await open(join(target, fileOf(table)), 'wx', 0o600),
        hash: createHash('sha256'),
      }
      written.set(table, file)
      file.hash.update(lines)
      await file.handle.appendFile(lines)
    }
    const leftOut = { tables, columns }
    const exported = await exportTenant(pool, tenantId, { vaults, sealed: sealedColumns, schemas, leftOut, write })
    return exported.map((table) => ({
      file: fileOf(table.table),
      sha256: written.get(table.table)?.hash.digest('hex') ?? '',
      ...table,
    }))
  } finally {
    for (const { handle } of written.values()) await handle.close()
    await pool.end()
  }
}
