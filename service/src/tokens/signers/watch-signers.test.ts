import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Anvil } from '../../../test/harness/chain/anvil.ts'
import { createTestSigner } from '../../../test/harness/chain/test-signers.ts'
import { waitingAlarms } from '../../../test/harness/data/waiting-alarms.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { createLogger } from '../../platform/base/log.ts'
import { Placement } from '../../platform/postgres/cells/placement.ts'
import { createPool } from '../../platform/postgres/pools.ts'
import { Chain } from '../chain/chain.ts'
import { checkSigners } from './watch-signers.ts'

describe('gas of signers', async () => {
  const installation = await TestInstallation.create()
  const anvil = await Anvil.start()
  const { config, databases } = installation
  const database = { url: config.databaseUrl, role: 'investor_token_worker', cell: undefined } as const
  const pool = createPool(database, config, createLogger('silent', 'test'))
  after(() => pool.end())
  after(() => anvil.stop())
  after(() => installation.end())

  test('is low until the signer is refilled; a check is repeated after five minutes', async () => {
    const tenantId = await installation.createTenant('Gas')
    const signer = await createTestSigner(installation, tenantId)
    const lowSince = async (): Promise<Date | null> => {
      const rows = await installation.rows('select gas_low_since from cell.signer_status where tenant_id = $1', [
        tenantId,
      ])
      return rows[0].gas_low_since
    }
    const events = async (): Promise<number> => {
      const { rowCount } = await installation.owner((client) =>
        client.query(`select from cell.event_outbox where tenant_id = $1 and type = 'signer.gas_low'`, [tenantId]),
      )
      return rowCount ?? 0
    }
    const placement = new Placement(databases)
    const chains = new Map([['anvil', new Chain('anvil', anvil.url)]])
    const log = createLogger('silent', 'test')
    const check = (now: Date) =>
      checkSigners(pool, { databases, placement, chains, log, clock: () => now, feeMax: 500_000_000_000n })
    const minutes = (number: number) => new Date(Date.UTC(2026, 6, 2, 10, number))

    await check(minutes(0))
    assert.deepEqual(await lowSince(), minutes(0))
    await check(minutes(6))
    assert.deepEqual(await lowSince(), minutes(0), 'since the first time')
    assert.deepEqual(await waitingAlarms(installation, tenantId), ['signer.gas_low'], 'once')
    await anvil.rpc('anvil_setBalance', signer?.address, `0x${(10n ** 18n).toString(16)}`)
    await check(minutes(8))
    assert.deepEqual(await lowSince(), minutes(0), 'not checked again yet')
    await check(minutes(12))
    assert.equal(await lowSince(), null)
    assert.equal(await events(), 1)
    await anvil.rpc('anvil_setBalance', signer?.address, '0x0')
    await check(minutes(18))
    assert.equal(await events(), 2, 'an event each time')
  })
})
