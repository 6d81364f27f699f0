import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isPaymentReference, newPaymentReference } from './payment-reference.ts'

describe('payment references', () => {
  test('the example of ISO 11649 is valid', () => {
    assert.ok(isPaymentReference('RF18539007547034'))
  })

  test('new references have correct check digits and are unique', () => {
    const references = Array.from({ length: 1_000 }, newPaymentReference)
    assert.ok(references.every(isPaymentReference))
    assert.equal(new Set(references).size, references.length)
  })

  test('every wrong digit, every wrong letter and every swap of two neighbours is detected', () => {
    for (let sample = 0; sample < 200; sample += 1) {
      const reference = newPaymentReference()
      for (let index = 2; index < reference.length; index += 1) {
        const [before, one, after] = [reference.slice(0, index), reference[index] ?? '', reference.slice(index + 1)]
        for (const wrong of index < 4 ? '0123456789' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')
          if (wrong !== one)
            assert.ok(!isPaymentReference(before + wrong + after), `${reference}, ${wrong} at ${index}`)
        const next = after[0] ?? one
        if (next !== one)
          assert.ok(!isPaymentReference(before + next + one + after.slice(1)), `${reference} at ${index}`)
      }
    }
  })
})
