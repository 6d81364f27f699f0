import pg from 'pg'
import { tcpKeepAlive } from './pools.ts'

/** Runs work on one connection with the login that owns the tables. */
export async function inOwnerConnection<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, ...tcpKeepAlive })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
