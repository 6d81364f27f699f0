import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TenantTurns } from './tenant-turns.ts'

test('a tenant with a hundred pieces of work delays a piece of another tenant by one turn', async () => {
  const turns = new TenantTurns(2)
  const done: string[] = []
  let running = 0
  const run = (tenantId: string) =>
    turns.run(tenantId, async () => {
      running += 1
      assert.ok(running <= 2, 'more than two pieces run at a time')
      await new Promise(setImmediate)
      running -= 1
      done.push(tenantId)
    })
  const large = Array.from({ length: 100 }, () => run('large'))
  await Promise.all([...large, run('small'), run('third')])
  assert.equal(done.length, 102)
  assert.ok(done.indexOf('small') <= 4, `after ${done.indexOf('small')} pieces`)
  assert.ok(done.indexOf('third') <= 5, `after ${done.indexOf('third')} pieces`)
})

test('work that fails gives its slot to the next', async () => {
  const turns = new TenantTurns(1)
  const failing = turns.run('one', () => Promise.reject(new Error('on purpose')))
  const next = turns.run('other', () => Promise.resolve('done'))
  await assert.rejects(failing, /on purpose/)
  assert.equal(await next, 'done')
  assert.equal(await turns.run('one', () => Promise.resolve('again')), 'again')
})
