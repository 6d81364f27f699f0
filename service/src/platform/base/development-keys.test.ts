import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startNode } from '../../../test/harness/installation/process.ts'
import { developmentKeys } from './development-keys.ts'

test('processes that start at the same time share one set of generated keys, in a file for its owner only', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'investor-token-keys-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, '.dev/keys.json')
  // Each process continues when all have seen that there are no keys and have written theirs to a temporary file.
  const source = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    const write = fs.writeFileSync
    fs.writeFileSync = (...args) => {
      write(...args)
      while (fs.readdirSync(${JSON.stringify(join(folder, '.dev'))}).length < 4 && !fs.existsSync(${JSON.stringify(file)}));
    }
    syncBuiltinESMExports()
    const { developmentKeys } = await import('./src/platform/base/development-keys.ts')
    console.log(JSON.stringify(developmentKeys(${JSON.stringify(file)})))`
  const processes = Array.from({ length: 4 }, () => startNode(['--input-type=module', '--eval', source], {}))
  for (const one of processes) assert.equal(await one.ended, 0, one.output.join('\n'))
  const printed = new Set(processes.map(({ output }) => output.join()))
  assert.deepEqual([...printed], [JSON.stringify(developmentKeys(file))])
  assert.equal(new Set(Object.values(developmentKeys(file))).size, 3, 'one key per purpose')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(join(folder, '.dev')), ['keys.json'])
  assert.notDeepEqual(developmentKeys(join(folder, 'other/keys.json')), developmentKeys(file))
})

test('if the folder is not writable, the error names what to set', () => {
  assert.throws(
    () => developmentKeys('/dev/null/.dev/keys.json'),
    /\.dev\/keys\.json cannot be used \(ENOTDIR\); set it/,
  )
})
