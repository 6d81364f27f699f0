import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FailoverKind } from './harness/clusters/failing-cluster.ts'
import { runFailoverDrill } from './harness/clusters/failover-drill.ts'
import { replicationIsImpossible } from './harness/clusters/replicated-postgres.ts'
import { newSeed } from './harness/seeded-random.ts'

const kinds: readonly FailoverKind[] = ['killed', 'planned', 'frozen', 'killed', 'killed']
/** Time beyond that of PostgreSQL itself, which depends on how busy the machine is: usually 0.1 s. */
const gapMsMax = 10_000
const jobMsMax = 10_000

describe('a cell that fails over', { skip: replicationIsImpossible }, () => {
  test('neither loses nor duplicates a write, and disturbs neither the worker nor the other cell', async (context) => {
    const seed = newSeed()
    context.diagnostic(`seed ${seed}`)
    const drill = await runFailoverDrill({ kinds, seed, report: (line) => context.diagnostic(line) })
    const { duplicates, lost, problems } = drill.tally
    assert.deepEqual({ duplicates, lost, problems }, { duplicates: 0, lost: 0, problems: [] })
    assert.ok(drill.writes >= 300, `only ${drill.writes} writes`)
    assert.ok((drill.seen['503 unavailable'] ?? 0) > 0, 'no failover met a request, so the test proved nothing')
    for (const { kind, gapMs, serverMs } of drill.failovers)
      assert.ok(gapMs - serverMs <= gapMsMax, `${kind}: ${gapMs} ms, of which the servers took ${serverMs}`)
    assert.ok(drill.isWorkerAlive, 'the worker has stopped')
    const { minted, ...mints } = drill.mints
    assert.deepEqual(mints, { lost: 0, doubled: 0, problems: [] })
    assert.ok(minted >= 5, `only ${minted} orders were minted`)
    assert.deepEqual(drill.otherTally, { duplicates: 0, lost: 0, problems: [] })
    assert.deepEqual([drill.otherSeen['503 unavailable'], drill.otherInterrupted], [undefined, 0])
    assert.ok(drill.otherJobMs <= jobMsMax, `a job of the other cell took ${drill.otherJobMs} ms`)
    context.diagnostic(
      `${drill.writes} writes, ${minted} mints, other cell's jobs ≤ ${Math.round(drill.otherJobMs)} ms`,
    )
  })
})
