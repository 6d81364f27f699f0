import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { orderLifeDocument } from '../../scripts/order-life-document.ts'

describe('docs/order-life.md', () => {
  test('is what the table of steps says; npm run order-life writes it anew', () => {
    assert.equal(readFileSync(new URL('../../docs/order-life.md', import.meta.url), 'utf8'), orderLifeDocument())
  })
})
