import { after } from 'node:test'
import { shareInProcess } from './end-of-process.ts'
import { RowsOfTenants } from './rows-of-tenants.ts'
import { TestInstallation } from './test-installation.ts'

let shared: Promise<TestInstallation> | undefined
let started: TestInstallation | undefined
let rows: RowsOfTenants | undefined

/**
 * Returns the installation that the files of a process share: one database, one API, one operator API. Each file has
 * its own tenants in it. It is for files that start no worker, and count or change only rows of their own tenants;
 * others create an installation. With other settings, the file gets its own connections and APIs to the same database.
 */
export async function sharedInstallation(settings?: Record<string, string>): Promise<TestInstallation> {
  // In a drill or a measurement, nothing ends a shared installation.
  if (!isShared && !process.env['NODE_TEST_CONTEXT']) return TestInstallation.create(settings)
  shared ??= TestInstallation.create()
  started = await shared
  return started.lend(settings)
}

async function end(): Promise<void> {
  shared = undefined
  rows = undefined
  await started?.end()
  started = undefined
}

const isShared = shareInProcess({
  end,
  ports: () => started?.ports() ?? [],
  changedRowsOfOthers: async () => {
    if (!started) return []
    rows ??= new RowsOfTenants(started)
    return rows.changedOfOthers()
  },
})
if (!isShared && process.env['NODE_TEST_CONTEXT']) after(end)
