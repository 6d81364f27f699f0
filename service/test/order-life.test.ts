import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { orderLifeDocument } from '../../scripts/order-life-document.ts'

describe('docs/guides/order-life.md', () => {
  test('matches the transitions in the code; npm run generate -- order-life updates it', () => {
    const document = readFileSync(new URL('../../docs/guides/order-life.md', import.meta.url), 'utf8')
    assert.equal(document, orderLifeDocument(document))
  })
})
