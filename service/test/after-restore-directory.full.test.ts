import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { migrate } from '../src/maintain/migrate/migrate.ts'
import {
  copyDatabase,
  createEmptyDatabase,
  ownerRows,
  redisUrl,
  type TestDatabase,
} from './harness/installation/database.ts'
import { runMaintainJson } from './harness/installation/process.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { until } from './harness/wait.ts'

describe('maintain after-restore for the directory alone', async () => {
  const databases: TestDatabase[] = []
  const installations: TestInstallation[] = []

  const directory = await createEmptyDatabase()
  const cell = await createEmptyDatabase()
  databases.push(directory, cell)
  await migrate({ ownerDatabaseUrl: directory.url, ownerCells: new Map([['main', cell.url]]) }, () => {})
  after(async () => {
    for (const installation of installations) await installation.end()
    for (const database of databases) await database.drop()
  })

  const installationAt = (url: string) => {
    const settings = { DATABASE_URL: url, CELLS: `main=${cell.url}`, REDIS_URL: redisUrl }
    const installation = new TestInstallation(settings)
    installations.push(installation)
    return installation
  }

  test('credentials that the cell knows to be disabled or rotated stay so, and unknown tenants are named', async () => {
    const installation = installationAt(directory.url)
    const tenantId = await installation.createTenant('T')
    const [disabled, rotated, kept] = [
      await installation.issueCredential(tenantId),
      await installation.issueCredential(tenantId),
      await installation.issueCredential(tenantId),
    ]
    const backup = await copyDatabase(directory.url)
    databases.push(backup)
    const rows = await installation.rows('select clock_timestamp()::text as now')
    const restored = installationAt(backup.url)

    const of = `--tenant ${tenantId} --client`
    await runMaintainJson(`disable-credential ${of} ${disabled.clientId}`, installation.settings)
    await runMaintainJson(`rotate-credential ${of} ${rotated.clientId}`, installation.settings)
    const later = await installation.createTenant('Later')
    const worker = await installation.startWorker()
    await until('the events are recorded', async () => {
      const events = await ownerRows(
        cell.url,
        `select from cell.event where type in ('credential.disabled', 'credential.rotated')`,
      )
      return events.length === 2
    })
    await worker.stop()

    const none = join(mkdtempSync(join(tmpdir(), 'investor-token-revoked-')), 'none')
    writeFileSync(none, '')
    const args = ['after-restore', '--directory', '--to', rows[0].now, '--revoked', none]
    const lines: string[] = (await runMaintainJson(args, restored.settings))['tokens and sessions']
    assert.ok(lines.includes(`credential ${disabled.clientId}: revoked again`), lines.join('\n'))
    assert.ok(lines.some((line) => line.startsWith(`credential ${rotated.clientId}: rotated after the moment`)))
    assert.ok(lines.some((line) => line.startsWith(`tenant ${later} is in cell main, and not in the directory`)))

    const api = await restored.startApi()
    const statuses = []
    for (const credential of [disabled, rotated, kept]) statuses.push((await api.auth(credential)).status)
    assert.deepEqual(statuses, [401, 401, 200])
  })
})
