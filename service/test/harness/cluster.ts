import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LocalPostgres } from '../../src/main/local-postgres.ts'

/** A PostgreSQL server of the test's own, that may be stopped and killed. */
export async function createCluster(): Promise<{ server: LocalPostgres; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'investor-token-cluster-'))
  // The server may run as another user, who must be able to pass through.
  await chmod(folder, 0o755)
  const server = await LocalPostgres.open(join(folder, 'data'))
  return {
    server,
    remove: async () => {
      await server.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
