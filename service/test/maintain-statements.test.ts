import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { Fixtures } from './harness/data/fixtures.ts'
import { type MaintainResult, runMaintain } from './harness/installation/process.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { camt053 } from './harness/money/camt053.ts'

describe('maintain: bank statements', async () => {
  const installation = await TestInstallation.create()
  const folder = await mkdtemp(join(tmpdir(), 'statements-'))
  after(async () => {
    await installation?.end()
    await rm(folder, { recursive: true, force: true })
  })
  const tenantId = await installation.createTenant('T')
  await new Fixtures(installation).offering(tenantId)

  async function importFile(xml: string | undefined): Promise<MaintainResult> {
    const path = join(folder, 'statement.xml')
    if (xml !== undefined) await writeFile(path, xml)
    const file = xml === undefined ? join(folder, 'none.xml') : path
    return runMaintain(`--json import-statement --tenant ${tenantId} --file ${file}`, installation.settings)
  }

  test('an import writes an audit entry, a repeated one changes nothing, and a bad file is rejected', async () => {
    const xml = camt053({ entries: [{ amount: '1.00' }, { amount: '2.00' }] })
    const first = await importFile(xml)
    assert.equal(first.code, 0, first.output)
    const { is_new: isNew, entries_new: newEntries, statements } = JSON.parse(first.output)
    assert.deepEqual([isNew, newEntries, statements.length], [true, 2, 1])
    const again = JSON.parse((await importFile(xml)).output)
    assert.deepEqual([again.is_new, again.entries_new, again.duplicates], [false, 0, 2])
    const rows = await installation.rows(
      `select actor_type, subject_id from base.audit_log where action = 'statement.imported'`,
    )
    assert.deepEqual(rows, [{ actor_type: 'maintenance', subject_id: statements[0] }])

    const truncated = await importFile(xml.slice(0, -30))
    assert.deepEqual(
      [truncated.code, /^Line \d+: the file is truncated/.test(truncated.output)],
      [1, true],
      truncated.output,
    )
    const missing = await importFile(undefined)
    assert.deepEqual([missing.code, missing.output.trimEnd().endsWith(' does not exist.')], [1, true], missing.output)
  })

  test('the statements wait for booking unless the tenant needs no second person', async () => {
    const waits = async (id: string) =>
      JSON.parse((await importFile(camt053({ id, entries: [{ amount: '3.00' }] }))).output).waits_for_booking
    assert.equal(await waits('by policy'), false)
    await installation.useDefaultPolicies(tenantId)
    assert.equal(await waits('by default'), true)
  })
})
