import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { generate } from '../generate.ts'

test('src/generated is up to date with service/openapi.json (if not, run npm run generate -- sdk)', async () => {
  for (const [name, text] of Object.entries(await generate()))
    assert.equal(readFileSync(new URL(`../src/generated/${name}`, import.meta.url), 'utf8'), text, name)
})

test('every operation in the OpenAPI document has a resource method', () => {
  const operations = readFileSync(new URL('../src/generated/operations.ts', import.meta.url), 'utf8')
  const names = [...operations.matchAll(/^ {2}(\w+): \{ method/gm)].map(([, name]) => name)
  const source = new URL('../src/', import.meta.url)
  const files = globSync('{resources/*,transport}.ts', { cwd: source })
  const code = files.map((file) => readFileSync(new URL(file, source), 'utf8')).join('\n')
  assert.ok(names.length > 15)
  assert.deepEqual(
    names.filter((name) => !new RegExp(`\\.(call|pages)\\('${name}'`).test(code)),
    [],
  )
})
