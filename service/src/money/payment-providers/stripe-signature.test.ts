import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hasStripeSignature } from './stripe-signature.ts'

describe("Stripe's signature scheme", () => {
  const body = Buffer.from('{"type":"payment_intent.succeeded","amount":1}')
  // Computed with openssl.
  const v1 = 'b6386339405792e2204af0ec3da34c82c74751475269cecb2a9d1c4c0e2ed2b5'
  const at = (seconds: number) => new Date(1_782_986_400_000 + seconds * 1000)
  const isValid = (header: string, seconds = 0, secrets = ['whsec_vector0123456789abcdef']) =>
    hasStripeSignature({ headers: { 'stripe-signature': header }, body }, secrets, at(seconds))

  test('accepts a signature within five minutes, among other signatures and with one of several secrets', () => {
    assert.ok(isValid(`t=1782986400,v1=${v1}`))
    assert.ok(isValid(`t=1782986400,v1=${'0'.repeat(64)},v1=${v1},v0=x`, 300))
    assert.ok(isValid(`t=1782986400, v1=${v1}`, -300, ['whsec_other', 'whsec_vector0123456789abcdef']))
  })

  test('rejects one that is too old, too new, altered, of another version, incomplete or by another secret', () => {
    for (const [header, seconds] of [
      [`t=1782986400,v1=${v1}`, 301],
      [`t=1782986400,v1=${v1}`, -301],
      [`t=1782986401,v1=${v1}`, 0],
      [`t=1782986400,v0=${v1}`, 0],
      [`t=1782986400,v1=${v1.slice(2)}`, 0],
      [`v1=${v1}`, 0],
      ['t=1782986400,v1=', 0],
      ['t=1782986400', 0],
      ['', 0],
    ] as const)
      assert.ok(!isValid(header, seconds), `${header} ${seconds}`)
    assert.ok(!isValid(`t=1782986400,v1=${v1}`, 0, ['whsec_other']))
  })
})
