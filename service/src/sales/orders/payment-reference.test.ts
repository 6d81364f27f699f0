import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isPaymentReference, newPaymentReference } from './payment-reference.ts'

describe('payment references', () => {
  test('the example of ISO 11649 is one', () => {
    assert.ok(isPaymentReference('RF18539007547034'))
  })

  test('a new one has two right check digits, and no two are alike', () => {
    const references = Array.from({ length: 1_000 }, newPaymentReference)
    assert.ok(references.every(isPaymentReference))
    assert.equal(new Set(references).size, references.length)
  })

  test('every wrong digit, every wrong letter and every swap of two neighbours is noticed', () => {
    for (let round = 0; round < 200; round += 1) {
      const reference = newPaymentReference()
      for (let place = 2; place < reference.length; place += 1) {
        const [before, one, after] = [reference.slice(0, place), reference[place] ?? '', reference.slice(place + 1)]
        for (const wrong of place < 4 ? '0123456789' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')
          if (wrong !== one)
            assert.ok(!isPaymentReference(before + wrong + after), `${reference}, ${wrong} at ${place}`)
        const next = after[0] ?? one
        if (next !== one)
          assert.ok(!isPaymentReference(before + next + one + after.slice(1)), `${reference} at ${place}`)
      }
    }
  })
})
