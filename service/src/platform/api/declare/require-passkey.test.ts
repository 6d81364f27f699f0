import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requirePasskey } from './require-passkey.ts'

test('a passkey counts for less than five minutes', () => {
  const usedAt = new Date('2026-07-02T10:00:00Z')
  const signedIn = { createdAt: usedAt, signedInAt: usedAt, steppedUpAt: usedAt, isBreakGlass: false }
  const after = (ms: number) => () =>
    requirePasskey(
      { proof: { type: 'session', id: crypto.randomUUID(), ...signedIn } },
      new Date(usedAt.getTime() + ms),
    )
  assert.doesNotThrow(after(299_999))
  assert.throws(after(300_000), /Use your passkey/)
})
