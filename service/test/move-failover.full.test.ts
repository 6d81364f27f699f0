import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { MoveFailover } from './harness/clusters/move-failover.ts'
import { replicationIsImpossible } from './harness/clusters/replicated-postgres.ts'
import type { MaintainResult } from './harness/installation/process.ts'
import { newSeed, seededRandom } from './harness/seeded-random.ts'

describe('a cell that fails over while a tenant moves', {
  skip: replicationIsImpossible,
  timeout: 300_000,
}, async () => {
  const moving = await MoveFailover.create(seededRandom(newSeed()))
  after(() => moving.end())

  test('the source: the command fails, and copies the rows anew when it runs again', async () => {
    const interrupted = await moving.moveAround('west', 'copied', () => moving.failOver())
    assert.notEqual(interrupted.code, 0, interrupted.output)
    const again = await moving.move('--to', 'west')
    succeeds(again)
    assert.match(again.output, /has lost the slot/)
    succeeds(await moving.finish())
  })

  test('the target: no change that the new primary lacks is skipped', async () => {
    const interrupted = await moving.moveAround('east', 'copied', () => moving.failOverToStandbyBehind())
    assert.notEqual(interrupted.code, 0, interrupted.output)
    // The target has the slot of the stream back.
    const switched = await moving.moveAround('east', 'switched', () => moving.failOver())
    assert.notEqual(switched.code, 0, switched.output)
    succeeds(await moving.move('--to', 'east'))
  })

  test('the new cell after the move: the way back is copied anew', async () => {
    await moving.failOver()
    succeeds(await moving.move('--back'))
    const { duplicates, lost, problems } = await moving.judge('west')
    assert.deepEqual({ duplicates, lost, problems }, { duplicates: 0, lost: 0, problems: [] })
    succeeds(await moving.finish())
  })
})

function succeeds({ code, output }: MaintainResult): void {
  assert.equal(code, 0, output)
}
