import { migrate } from '../../../src/maintain/migrate/migrate.ts'
import { redisUrl } from './database.ts'
import { TestInstallation } from './test-installation.ts'

/** Migrates databases. Returns an installation whose cells they are; `main` is also the directory. */
export async function installCells(
  cells: ReadonlyMap<string, string>,
  settings: Record<string, string> = {},
): Promise<TestInstallation> {
  const directory = cells.get('main') ?? ''
  await migrate({ ownerDatabaseUrl: directory, ownerCells: new Map(cells) }, () => {})
  const CELLS = [...cells].map((entry) => entry.join('=')).join(' ')
  return new TestInstallation({ DATABASE_URL: directory, CELLS, REDIS_URL: redisUrl, ...settings })
}
