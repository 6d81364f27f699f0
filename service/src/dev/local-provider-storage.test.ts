import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LocalProviderStorage } from './local-provider-storage.ts'

test('a session is found by its own uid, and by no other', async () => {
  const sessions = new LocalProviderStorage().adapter('Session')
  const [ada, grace] = [
    { uid: 'one', accountId: 'ada' },
    { uid: 'two', accountId: 'grace' },
  ]
  await sessions.upsert('1', ada, 60)
  await sessions.upsert('2', grace, 60)
  assert.deepEqual([await sessions.findByUid('one'), await sessions.findByUid('two')], [ada, grace])
  assert.equal(await sessions.findByUid('three'), undefined)
})
