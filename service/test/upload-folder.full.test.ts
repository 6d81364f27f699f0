import assert from 'node:assert/strict'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { useSpoolFolder } from '../src/platform/api/declare/spool.ts'
import { runMaintain, startProcess } from './harness/installation/process.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'

describe('the folder of uploads', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const tenant = await installation.createTenant('A')

  const missing = join(tmpdir(), 'investor-token-does-not-exist')

  test('the operator API does not start without it, and names the setting and the remedy', async () => {
    for (const [UPLOAD_FOLDER, reason] of [
      [missing, 'the folder does not exist'],
      // Not even a superuser can create files there.
      ['/sys', 'no file can be written to the folder \\(E[A-Z]+\\)'],
    ] as const) {
      const refused = startProcess('operator-api', { ...installation.settings, OPERATOR_PORT: '0', UPLOAD_FOLDER })
      assert.equal(await refused.ended, 1)
      assert.match(
        refused.output.join('\n'),
        new RegExp(`^UPLOAD_FOLDER is invalid: ${reason}\\. Mount a volume[^\\n]*$`),
      )
    }
  })

  test('the API, which receives no files, starts without it', async () => {
    const api = await installation.startApiProcess({ UPLOAD_FOLDER: missing })
    assert.equal((await fetch(`${api.baseUrl}/livez`)).status, 200)
  })

  test('a folder without room for all files that a process may receive at once is refused', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'investor-token-uploads-'))
    assert.equal(await useSpoolFolder(folder, { bytesMax: 1 }), undefined)
    assert.match(
      (await useSpoolFolder(folder, { bytesMax: Number.MAX_SAFE_INTEGER })) ?? '',
      /^UPLOAD_FOLDER is invalid: \d+ MiB are free, and files that are uploaded at once may need 68719476736 MiB\. Free/,
    )
    // The check leaves no files behind.
    rmdirSync(folder)
    await useSpoolFolder(tmpdir(), { bytesMax: 1 })
  })

  test('maintain import-statement says the same in one sentence', async () => {
    const command = `import-statement --tenant ${tenant} --file ${import.meta.filename}`
    const { code, output } = await runMaintain(command, { ...installation.settings, UPLOAD_FOLDER: missing })
    assert.equal(code, 1)
    assert.match(output, /^UPLOAD_FOLDER is invalid: the folder does not exist\.[^\n]*$/)
  })
})
