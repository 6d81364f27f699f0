import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { generate } from '../generate.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

test('the types are those of service/operator-openapi.json; npm run generate -- console writes them', async () => {
  assert.equal(read('../src/api/generated/operator-api.ts'), await generate())
})

test('German has every text that English has, with the same values to fill in', () => {
  const textsOf = (language: string) => flattened(JSON.parse(read(`../src/text/${language}.json`)))
  const [english, german] = [textsOf('en'), textsOf('de')]
  assert.deepEqual(Object.keys(german), Object.keys(english))
  const valuesIn = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).toSorted()
  for (const [name, text] of Object.entries(english))
    assert.deepEqual(valuesIn(german[name] ?? ''), valuesIn(text), name)
})

function flattened(texts: object, path = ''): Record<string, string> {
  return Object.assign(
    {},
    ...Object.entries(texts).map(([name, value]) =>
      typeof value === 'object' ? flattened(value, `${path}${name}.`) : { [path + name]: value },
    ),
  )
}
