import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authenticationTimeOf, factorsOf, requireStepUp } from './provider-factors.ts'

const now = new Date('2026-07-02T10:00:00.000Z')
const seconds = now.getTime() / 1_000

/** Checks a step-up with these claims of the provider acme, whose factor `mfa` is accepted. */
function stepUpWith(claims: object, accepted: readonly string[] = ['mfa']): void {
  const token = { iss: 'https://id.example.com', sub: 'ada', aud: 'service', iat: seconds, exp: seconds, ...claims }
  const hasSecondFactor = factorsOf(token).some((factor) => accepted.includes(factor))
  requireStepUp('acme', accepted, { authenticatedAt: authenticationTimeOf(token, now), hasSecondFactor, now })
}

test('a step-up needs a second factor that was used just now, and its rejection says what the provider must send', () => {
  assert.doesNotThrow(() => stepUpWith({ auth_time: seconds - 10, amr: ['pwd', 'mfa'] }))
  assert.doesNotThrow(() => stepUpWith({ auth_time: seconds - 10, acr: 'mfa' }))
  // The provider's clock is ahead of ours.
  assert.doesNotThrow(() => stepUpWith({ auth_time: seconds + 30, acr: 'mfa' }))
  const missingTime = { code: 'step_up_not_proven', message: /^The provider acme must send the claim auth_time/ }
  assert.throws(() => stepUpWith({ amr: ['mfa'] }), missingTime)
  assert.throws(() => stepUpWith({ auth_time: String(seconds), amr: ['mfa'] }), missingTime)
  assert.throws(() => stepUpWith({ auth_time: seconds - 301, amr: ['mfa'] }), missingTime)
  const missingFactor = { code: 'step_up_not_proven', message: /^The provider acme must send one of mfa in the claim/ }
  assert.throws(() => stepUpWith({ auth_time: seconds, amr: ['pwd'] }), missingFactor)
  assert.throws(() => stepUpWith({ auth_time: seconds }), missingFactor)
})

test('a provider without second factors in the settings can only say that the person has just signed in', () => {
  assert.doesNotThrow(() => stepUpWith({ auth_time: seconds - 10 }, []))
  assert.throws(() => stepUpWith({ auth_time: seconds - 301 }, []), { code: 'step_up_not_proven' })
})
