import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { connectForMaintenance, inClientTransaction } from '../../platform/postgres/maintenance-client.ts'
import { isLockTimeout } from '../../platform/postgres/sql-errors.ts'
import { checksumOf, lockNumbering, lockTenant, openSnapshot } from './copies.sql.ts'
import { MoveRejected } from './move-rejected.ts'
import { auditTables, replicatedTables } from './moved-tables.ts'
import { caughtUp, NotCaughtUp, type Stream } from './replication.sql.ts'

/**
 * Compares every replicated table of the tenant in both cells, exactly, while the tenant is served. Writes wait only
 * until the target has caught up and both databases have opened a snapshot; the checksums come from the two snapshots.
 * Returns the number of tables compared.
 */
export async function verifyCopies(stream: Stream): Promise<number> {
  const { from, to, tenantId } = stream
  const clients = await Promise.all([from, to].map(({ url }) => connectForMaintenance(url, 'move-tenant')))
  const [source, target] = clients as [pg.Client, pg.Client]
  try {
    await openBoth(stream, source, target)
    // A directory in the same database has its entries in the audit log too, so the logs differ.
    const tables = from.isDirectory || to.isDirectory ? replicatedTables : [...replicatedTables, ...auditTables]
    const differing: string[] = []
    for (const table of tables) {
      const [one, other] = await Promise.all([source, target].map((client) => checksumOf(client, table, tenantId)))
      if (one !== other) differing.push(`${table} (${from.name}: ${one}; ${to.name}: ${other})`)
    }
    if (differing.length > 0)
      throw new MoveRejected(
        `The rows of the tenant differ between cells ${from.name} and ${to.name}: ${differing.join(', ')}. ` +
          `The tenant stays in cell ${from.name}. Find out who wrote to cell ${to.name}. If the tenant has not moved ` +
          'yet, maintain finish-move deletes the copy.',
      )
    return tables.length
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

async function openBoth(stream: Stream, source: pg.Client, target: pg.Client): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      // Catches up before writes have to wait.
      await caughtUp(stream, catchUpMsMax)
      return await inClientTransaction(stream.from.client, async () => {
        await lockTenant(stream.from.client, stream.tenantId)
        await lockNumbering(stream.from.client)
        await openSnapshot(source)
        await caughtUp(stream, pauseMsMax)
        await openSnapshot(target)
      })
    } catch (error) {
      if (!(isLockTimeout(error) || error instanceof NotCaughtUp) || attempt === attemptsMax) throw error
      await Promise.all([source, target].map((client) => client.query('rollback')))
      await sleep(retryMs)
    }
}

/** A large backlog takes as long as the disk needs; nobody waits for it. */
const catchUpMsMax = 600_000
const pauseMsMax = 2_000
const attemptsMax = 20
const retryMs = 3_000
