import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startNode } from '../../../test/harness/process.ts'
import { developmentKeys } from './development-keys.ts'

const folder = mkdtempSync(join(tmpdir(), 'investor-token-keys-'))
after(() => rmSync(folder, { recursive: true }))

test('processes that start at the same time share one set of generated keys, in a file for its owner only', async () => {
  const file = join(folder, '.dev/keys.json')
  // They create the keys at the same instant, however long each takes to start.
  const at = Date.now() + 4_000
  const source = `import { developmentKeys } from './src/platform/base/development-keys.ts'
    while (Date.now() < ${at});
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

test('a folder that cannot be written to is reported with what to set', () => {
  assert.throws(
    () => developmentKeys('/dev/null/.dev/keys.json'),
    /\.dev\/keys\.json cannot be used \(ENOTDIR\); set it/,
  )
})
