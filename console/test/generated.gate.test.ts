import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { generate } from '../generate.ts'

test('the types are those of service/operator-openapi.json; npm run generate -- console writes them', async () => {
  const written = readFileSync(new URL('../src/api/generated/operator-api.ts', import.meta.url), 'utf8')
  assert.equal(written, await generate())
})
