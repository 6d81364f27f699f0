import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { isIn, root, type Tier, testFiles, tierOf, tiers } from './tiers.ts'

/**
 * The lowest tier of the files that import a module: what stops or kills servers, measures, or starts Chromium takes long
 * and disturbs its neighbours. A name that ends with / is that of a folder.
 */
const lowestTierOf: Record<string, Tier> = {
  'console/test/harness/': 'full',
  'service/test/harness/faults/approval-kills.ts': 'gate',
  'service/test/harness/attacks/attack-run.ts': 'gate',
  'service/test/harness/faults/chaos-settlement.ts': 'gate',
  'service/test/harness/faults/crash-run.ts': 'gate',
  'service/test/harness/clusters/failing-cluster.ts': 'gate',
  'service/test/harness/clusters/failover-drill.ts': 'gate',
  'service/test/harness/chain/flooded-block.ts': 'gate',
  'service/test/harness/fuzz/fuzz-run.ts': 'gate',
  'service/test/harness/clusters/move-drill.ts': 'gate',
  'service/test/harness/clusters/move-failover.ts': 'gate',
  'service/test/harness/clusters/move-world.ts': 'gate',
  'service/test/harness/load/noise-drill.ts': 'gate',
  'service/test/harness/browser/page-server.ts': 'gate',
  'service/test/harness/clusters/patroni-cluster.ts': 'full',
  'service/test/harness/load/pool-measurement.ts': 'gate',
  'service/test/harness/clusters/promoted-pair.ts': 'full',
  'service/test/harness/clusters/restored.ts': 'gate',
}

const files = testFiles()

describe('tiers', () => {
  test('every test file has one', () => {
    assert.deepEqual(
      files.filter((file) => tierOf(file) === undefined),
      [],
    )
  })

  test('a file in the folder of none has none, and no run runs it', () => {
    for (const file of ['bench/new.test.ts', 'service/other/new.test.ts', 'service/src2/new.test.ts']) {
      assert.equal(tierOf(file), undefined)
      assert.ok(!tiers.some((tier) => isIn(tier, file)))
    }
  })

  test('the name counts before the folder, and the folder before the one that it is in', () => {
    assert.equal(tierOf('service/src/sales/x.test.ts'), 'everyday')
    assert.equal(tierOf('service/src/sales/x.full.test.ts'), 'full')
    assert.equal(tierOf('service/src/tokens/x.test.ts'), 'gate')
    assert.equal(tierOf('service/src/tokens/x.everyday.test.ts'), 'everyday')
    assert.equal(tierOf('console/test/x.gate.test.tsx'), 'gate')
  })

  test('each includes those before it', () => {
    for (const file of files)
      assert.deepEqual(
        tiers.filter((tier) => isIn(tier, file)),
        tiers.slice(tiers.indexOf(tierOf(file) ?? 'full')),
      )
  })

  test('no file is in a lower tier than what it imports', () => {
    const tooLow = files.flatMap((file) =>
      importsOf(file)
        .filter((imported) => isBelow(tierOf(file), lowestTierFor(imported)))
        .map((imported) => `${file} is in ${tierOf(file)}, and imports ${imported}`),
    )
    assert.deepEqual(tooLow, [])
  })
})

/** Relative to the root; without types, which start nothing. */
function importsOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8')
  return [...source.matchAll(/\bimport\b(?! type)[^']*'(\.[^']+)'/g)].map(([, path = '']) => join(dirname(file), path))
}

function lowestTierFor(imported: string): Tier | undefined {
  const name = Object.keys(lowestTierOf).find((one) =>
    one.endsWith('/') ? imported.startsWith(one) : imported === one,
  )
  return name === undefined ? undefined : lowestTierOf[name]
}

function isBelow(tier: Tier | undefined, lowest: Tier | undefined): boolean {
  return tier !== undefined && lowest !== undefined && tiers.indexOf(tier) < tiers.indexOf(lowest)
}
