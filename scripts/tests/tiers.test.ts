import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { isIn, root, type Tier, testFiles, tierOf, tiers } from './tiers.ts'

/**
 * Lowest tier of the files that import a module. What stops or kills servers, measures or starts Chromium takes long
 * and disturbs its neighbours. A name that ends with / is a folder, unless one of its modules is listed before it.
 */
const lowestTierOf: Record<string, Tier> = {
  'console/test/harness/': 'full',
  'service/test/harness/attacks/': 'full',
  'service/test/harness/browser/': 'full',
  // An exception: this is only a cache that is never invalidated, and starts nothing.
  'service/test/harness/clusters/frozen-placement.ts': 'everyday',
  'service/test/harness/clusters/': 'full',
  'service/test/harness/faults/': 'full',
  'service/test/harness/fuzz/fuzz-run.ts': 'gate',
  'service/test/harness/load/large-register.ts': 'gate',
  'service/test/harness/load/recorded-statements.ts': 'gate',
  'service/test/harness/load/': 'full',
}

const files = testFiles()

describe('tiers', () => {
  test('every test file has one', () => {
    assert.deepEqual(
      files.filter((file) => tierOf(file) === undefined),
      [],
    )
  })

  test('a file in a folder without a tier has none, and no run includes it', () => {
    for (const file of ['bench/new.test.ts', 'service/other/new.test.ts', 'service/src2/new.test.ts']) {
      assert.equal(tierOf(file), undefined)
      assert.ok(!tiers.some((tier) => isIn(tier, file)))
    }
  })

  test('the name takes precedence over the folder, and the folder over its parent', () => {
    assert.equal(tierOf('service/src/sales/x.test.ts'), 'everyday')
    assert.equal(tierOf('service/src/sales/x.full.test.ts'), 'full')
    assert.equal(tierOf('service/src/tokens/x.test.ts'), 'gate')
    assert.equal(tierOf('service/src/tokens/x.everyday.test.ts'), 'everyday')
    assert.equal(tierOf('console/test/x.gate.test.tsx'), 'gate')
  })

  test('each tier includes the ones before it', () => {
    for (const file of files)
      assert.deepEqual(
        tiers.filter((tier) => isIn(tier, file)),
        tiers.slice(tiers.indexOf(tierOf(file) ?? 'full')),
      )
  })

  test('no file is in a lower tier than its imports', () => {
    const tooLow = files.flatMap((file) =>
      importsOf(file)
        .filter((imported) => isBelow(tierOf(file), lowestTierFor(imported)))
        .map((imported) => `${file} is in ${tierOf(file)}, and imports ${imported}`),
    )
    assert.deepEqual(tooLow, [])
  })
})

/** Returns a file's imports as paths from the root, except types, which start nothing. */
function importsOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8')
  return [...source.matchAll(/\bimport\b(?! type)[^']*'(\.[^']+)'/g)].map(([, path = '']) => join(dirname(file), path))
}

function lowestTierFor(imported: string): Tier | undefined {
  // A module is listed before its folder.
  const name = Object.keys(lowestTierOf).find((one) =>
    one.endsWith('/') ? imported.startsWith(one) : imported === one,
  )
  return name === undefined ? undefined : lowestTierOf[name]
}

function isBelow(tier: Tier | undefined, lowest: Tier | undefined): boolean {
  return tier !== undefined && lowest !== undefined && tiers.indexOf(tier) < tiers.indexOf(lowest)
}
