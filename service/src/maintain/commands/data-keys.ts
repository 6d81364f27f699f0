// Commands for the keys that encrypt tenants' data.
import { inTenantTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import { createOwnerPool, createPool } from '../../platform/postgres/pools.ts'
import { isNotResident } from '../../platform/postgres/sql-errors.ts'
import { selectTenantIds, Vaults } from '../../platform/postgres/vault.ts'
import { rotateDataKey } from '../data-keys/rotate-data-key.ts'
import { uuid } from '../program/arguments.ts'
import {
  audit,
  command,
  config,
  MaintainError,
  print,
  printNote,
  requireLogin,
  showProgress,
  silentLog,
  withDatabases,
} from '../program/program.ts'
import { tenantCommand } from '../program/tenant-command.ts'
import { sealedColumns } from '../restore/sealed-columns.ts'
import { writeSearchTerms } from './search.ts'

tenantCommand('rotate-data-key', 'owner')
  .description("encrypt a tenant's data again with a new key; run it again after half an hour to drop the old key")
  .action(async ({ tenant: tenantId }: { tenant: string }) => {
    const { cell, epoch } = await withDatabases(async ({ placement }) => ({
      cell: await placement.cellOf(tenantId),
      epoch: (await placement.locate(tenantId)).epoch,
    }))
    const ownerUrl = config().ownerCells.get(cell)
    if (!ownerUrl) throw new MaintainError(`OWNER_CELLS does not list cell ${cell}: add it.`)
    const pool = createOwnerPool(ownerUrl)
    try {
      const rotation = await rotateDataKey(pool, tenantId, {
        epoch,
        vaults: new Vaults(config().dataMasterKeys),
        columns: sealedColumns,
        onProgress: (resealed) => showProgress('encrypted', resealed, 'values again'),
        audit: (tx, action, after) =>
          audit(tx, {
            action,
            subject: { type: 'tenant', id: tenantId },
            ...(after && { after }),
          }),
      }).catch((error: unknown) => {
        throw isNotResident(error) ? new MaintainError(movedMessage, { cause: error }) : error
      })
      // The hashes of IBANs in the search terms depend on the data key, too.
      const searchable = await writeSearchTerms(tenantId, { blindOnly: true })
      if (process.stderr.isTTY) process.stderr.write('\n')
      print({
        tenant_id: tenantId,
        new_key: rotation.isNewKey,
        resealed: rotation.resealed,
        search_terms_of: searchable,
        rows_left: rotation.rowsLeft,
        old_keys_dropped: rotation.oldKeysDropped,
        old_keys_left: rotation.oldKeysLeft,
      })
      if (rotation.rowsLeft > 0)
        printNote(
          'Some values still have the old key. If the number stays the same, they are damaged: see the backups.',
        )
      else if (rotation.oldKeysLeft > 0)
        printNote('Processes may still use the old key. Run this again in half an hour: it then drops the old key.')
    } finally {
      await pool.end()
    }
  })

const movedMessage = 'The tenant is moving or has moved to another cell: run this again once the move is complete.'

command('rewrap-data-keys', 'service and worker')
  .description('rewrap data keys with the first of DATA_MASTER_KEYS, so that older ones can be removed')
  .option('--tenant <id>', 'one tenant', uuid)
  .option('--all', 'every tenant in every cell')
  .action(async ({ tenant, all }: { tenant?: string; all?: boolean }) => {
    if ((tenant === undefined) === !all) throw new MaintainError('Set either --tenant or --all.')
    if (all) requireLogin('WORKER_DATABASE_URL', config().workerDatabaseUrl)
    const masterKey = config().dataMasterKeys.current.id
    const tenantIds = tenant === undefined ? await allTenantIds() : [tenant]
    let rewrapped = 0
    await withDatabases(async (opened) => {
      for (const tenantId of tenantIds)
        rewrapped += await inTenantTransaction(opened, { tenantId, access: 'write' }, async (tx) => {
          const count = await opened.vaults.rewrapKeys(tx, tenantId)
          const subject = { type: 'tenant', id: tenantId }
          const after = { rewrapped: count, master_key: masterKey }
          await audit(tx, { action: 'tenant.data_keys_rewrapped', subject, after })
          return count
        })
    })
    print({
      ...(tenant !== undefined && { tenant_id: tenant }),
      tenants: tenantIds.length,
      rewrapped,
      master_key: masterKey,
    })
  })

/** Only the role of the job queue sees more than one tenant. */
async function allTenantIds(): Promise<string[]> {
  const lists: string[][] = []
  for (const url of config().workerCells.values()) {
    const pool = createPool({ url, role: 'investor_token_worker', cell: undefined }, config(), silentLog)
    try {
      lists.push(await selectTenantIds(pool))
    } finally {
      await pool.end()
    }
  }
  return lists.flat()
}
