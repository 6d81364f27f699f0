import { inTenantTransaction, type TenantDatabases } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Vaults } from '../../platform/postgres/vault.ts'
import { replaceTerms } from '../../records/search/search-term.sql.ts'
import { searchKinds } from './search-kinds.ts'

interface RebuildContext {
  readonly databases: TenantDatabases
  readonly vaults: Vaults
  readonly onProgress: (subjects: number) => void
}

const firstId = '00000000-0000-0000-0000-000000000000'
const batchSize = 500

/**
 * Rewrites the search terms of all subjects of a tenant: for data that is older than the terms, and after a rotation of
 * the data key, which changes the hashes (`blindOnly`). Each batch commits by itself and locks its subjects, so the
 * service keeps running. Returns the number of subjects.
 */
export async function rebuildSearchTerms(
  tenantId: string,
  { databases, vaults, onProgress }: RebuildContext,
  { blindOnly }: { blindOnly: boolean },
): Promise<number> {
  let subjects = 0
  for (const kind of searchKinds.filter(({ hasBlindTerms }) => hasBlindTerms || !blindOnly)) {
    let after: string | undefined = firstId
    while (after !== undefined) {
      const last: string = after
      const batch = await inTenantTransaction(databases, { tenantId, access: 'write' }, async (tx) => {
        const found = await kind.termsAfter({ tenantId, tx, vault: vaults.of(tx, tenantId) }, last, batchSize)
        await tx.each(found, (tx, subject) => replaceTerms(tx, tenantId, subject))
        return found
      })
      subjects += batch.length
      onProgress(subjects)
      after = batch.length === batchSize ? batch.at(-1)?.subjectId : undefined
    }
  }
  return subjects
}
