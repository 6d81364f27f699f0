import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LocalPostgres } from '../../../src/dev/local-postgres.ts'

/** Starts a PostgreSQL server for one test, which may stop and kill it. */
export async function createCluster(
  settings: Readonly<Record<string, string>> = {},
): Promise<{ server: LocalPostgres; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'investor-token-cluster-'))
  // The server may run as another user, which must be able to enter the folder.
  await chmod(folder, 0o755)
  const server = await LocalPostgres.open(join(folder, 'data'), { settings })
  return {
    server,
    remove: async () => {
      await server.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
