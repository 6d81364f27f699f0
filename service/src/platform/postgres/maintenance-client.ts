import pg from 'pg'
import { checkServer } from './check-server.ts'
import { tcpKeepAlive } from './pools.ts'

/**
 * Opens a single connection for a maintenance command, with the owner's login of the settings. The lock timeout bounds
 * how long a statement of the command keeps others waiting behind it.
 */
export async function connectForMaintenance(url: string, command: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `investor-token ${command}`,
    connectionTimeoutMillis: 5_000,
    options: '-c lock_timeout=5s -c statement_timeout=10min',
    ...tcpKeepAlive,
  })
  // If a connection breaks, its next statement fails.
  client.on('error', () => {})
  await client.connect()
  try {
    await checkServer(client)
  } catch (error) {
    await client.end()
    throw error
  }
  return client
}

/** Commits all changes of the work, or none. */
export async function inClientTransaction<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
