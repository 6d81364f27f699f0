import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { upgradeIsImpossible } from './upgrade/load-balancer.ts'
import { runUpgradeDrill } from './upgrade/upgrade-drill.ts'

describe('a rolling upgrade with a migration under load', { skip: upgradeIsImpossible }, () => {
  test('fails no request, loses no job and mints nothing twice', async (context) => {
    const result = await runUpgradeDrill({ buyers: 2, report: (line) => context.diagnostic(line) })
    assert.deepEqual(result.failures, [])
    assert.deepEqual(result.lost, [])
    assert.equal(result.mintedTwice, 0)
    assert.ok(result.orders > 10 && result.mintedOnChain >= result.orders, JSON.stringify(result))
    assert.equal(result.migrations.filter((line) => line.includes('9999_next')).length, 2)
  })
})
