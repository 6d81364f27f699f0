import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { compileContracts } from '../compile-contracts.ts'

const folder = fileURLToPath(new URL('../artifacts/', import.meta.url))

describe('artifacts', () => {
  test('are up to date with the sources (if not, run npm run generate -- contracts)', () => {
    const committed = globSync('*', { cwd: folder })
    const compiled = compileContracts()
    assert.deepEqual(committed.toSorted(), [...compiled.keys()])
    for (const [file, text] of compiled)
      assert.ok(readFileSync(`${folder}${file}`, 'utf8') === text, `${file} is out of date`)
  })
})
