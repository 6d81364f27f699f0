// Commands for the search terms of operators.

import { rebuildSearchTerms } from '../../workbench/search/rebuild-search-terms.ts'
import { print, showProgress, withDatabases } from '../program/program.ts'
import { tenantCommand } from '../program/tenant-command.ts'

tenantCommand('rebuild-search-terms', 'service')
  .description('write again what operators find accounts, orders, payments and other resources of a tenant by')
  .action(async ({ tenant: tenantId }: { tenant: string }) => {
    const subjects = await writeSearchTerms(tenantId, { blindOnly: false })
    print({ tenant_id: tenantId, subjects })
  })

export function writeSearchTerms(tenantId: string, which: { blindOnly: boolean }): Promise<number> {
  const onProgress = (subjects: number) => showProgress('wrote the terms of', subjects, 'resources')
  return withDatabases((opened) =>
    rebuildSearchTerms(tenantId, { databases: opened, vaults: opened.vaults, onProgress }, which),
  )
}
