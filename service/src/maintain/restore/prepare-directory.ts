import { selectLaterRevocations } from '../../access/restore/later-revocations.sql.ts'
import {
  endRotatedSecrets,
  revokeAgain,
  revokeEverything,
  selectPlacements,
} from '../../access/restore/revoke-after-restore.sql.ts'
import type { Config } from '../../platform/base/config.ts'
import type { Logger } from '../../platform/base/log.ts'
import { inCellTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import { createPool } from '../../platform/postgres/pools.ts'
import { selectTenantIds } from '../../platform/postgres/vault.ts'
import { type RestoreOptions, type StepContext, step } from './restore-context.ts'

/**
 * Revokes everything that may have been revoked after the moment: all tokens and sessions, and the credentials, users
 * and tenants named by the operator or by events of the cells.
 */
export async function prepareDirectory(
  { config, log, database, databases }: StepContext,
  { to, revoked }: RestoreOptions,
): Promise<void> {
  const placements = await database.transaction(selectPlacements)
  const later = []
  for (const { tenantId, cell } of placements)
    later.push(
      ...(await inCellTransaction(databases, { cell, tenantId }, (tx) => selectLaterRevocations(tx, tenantId, to))),
    )
  const orphans = await tenantsWithoutPlacement(
    config,
    log,
    placements.map(({ tenantId }) => tenantId),
  )
  const disabled = later.filter(({ type }) => type === 'credential.disabled').map(({ clientId }) => clientId)
  const rotated = later.filter(({ type }) => type === 'credential.rotated').map(({ clientId }) => clientId)
  await step(database, 'tokens and sessions', async (client) => {
    const ended = await revokeEverything(client)
    const ids = [...new Set([...revoked, ...disabled])]
    const again = await revokeAgain(client, ids)
    await endRotatedSecrets(client, rotated)
    const missing = ids.filter((id) => !again.some((one) => one.id === id))
    return [
      `access tokens of ${ended.credentials} credentials, ${ended.sessions} sessions, ${ended.personalTokens} ` +
        `personal tokens and ${ended.invitations} invitations revoked`,
      ...again.map(({ kind, id }) => `${kind} ${id}: revoked again`),
      ...rotated.map((id) => `credential ${id}: rotated after the moment, its old secrets end: rotate it again`),
      ...missing.map((id) => `${id} does not exist here: it was created after the moment`),
      ...orphans.map((line) => `${line}, and not in the directory: it was created after the moment`),
    ]
  })
}

/** Finds tenants of the cells that the restored directory does not know. */
async function tenantsWithoutPlacement(config: Config, log: Logger, known: readonly string[]): Promise<string[]> {
  const lines: string[] = []
  for (const [cell, url] of config.ownerCells) {
    const pool = createPool({ url, role: 'investor_token_worker', cell, max: 1, isOwner: true }, config, log)
    try {
      const ids = (await selectTenantIds(pool)).filter((id) => !known.includes(id))
      lines.push(...ids.map((id) => `tenant ${id} is in cell ${cell}`))
    } finally {
      await pool.end()
    }
  }
  return lines
}
