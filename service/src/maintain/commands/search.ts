// Commands for the search terms of operators.

import { Placement } from '../../platform/postgres/cells/placement.ts'
import { Vaults } from '../../platform/postgres/vault.ts'
import { rebuildSearchTerms } from '../../workbench/search/rebuild-search-terms.ts'
import { uuid } from '../program/arguments.ts'
import { command, config, print, withDatabases } from '../program/program.ts'

command('rebuild-search-terms', 'service')
  .description('write again what operators find accounts, orders, payments and other resources of a tenant by')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .action(async ({ tenant: tenantId }: { tenant: string }) => {
    const subjects = await writeSearchTerms(tenantId, { blindOnly: false })
    print({ tenant_id: tenantId, subjects })
  })

/** Shows its progress on a terminal only. */
export function writeSearchTerms(tenantId: string, which: { blindOnly: boolean }): Promise<number> {
  const onProgress = (subjects: number) => {
    if (process.stderr.isTTY) process.stderr.write(`\rwrote the terms of ${subjects.toLocaleString('en')} resources`)
  }
  return withDatabases((databases) => {
    const vaults = new Vaults(config().dataMasterKeys)
    const tenantDatabases = { databases, placement: new Placement(databases) }
    return rebuildSearchTerms(tenantId, { databases: tenantDatabases, vaults, onProgress }, which)
  })
}
