import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { PacedChain } from '../../../test/harness/chain/paced-chain.ts'
import { individual } from '../../../test/harness/data/bodies.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { SettlementWorld } from '../../../test/harness/tokens/settlement-world.ts'
import { createAccount } from '../../sales/accounts/create-account.ts'
import { selectMeasuredJobs, selectMeasures } from './measures.sql.ts'

describe('ages of waiting work', async () => {
  const [installation, chain] = await Promise.all([TestInstallation.create(), PacedChain.start()])
  const world = await SettlementWorld.create(installation, chain)
  after(() => installation.end())
  after(() => world.end())
  after(() => chain.stop())

  const asOwner = (statement: string) => installation.owner((client) => client.query(statement))

  async function ageOf(name: string, state: string | null = null): Promise<number | undefined> {
    const pool = world.workerPool()
    try {
      return (await selectMeasures(pool)).find((one) => one.name === name && one.state === state)?.value
    } finally {
      await pool.end()
    }
  }

  test('an order that was paid days ago ages only from when it could be minted', async () => {
    const investor = await world.investor()
    const [id = ''] = await world.paidOrders(investor, 1)
    await asOwner(`update cell.token_order set paid_at = now() - interval '3 days'`)
    const age = async (state: string) => (await ageOf('orders_unminted_oldest_seconds', state)) ?? 0
    assert.ok((await age('PAID')) > 250_000)
    await world.readyOrders(investor, 1)
    assert.equal((await world.statuses())['READYTOMINT'], 2)
    assert.ok((await age('READYTOMINT')) < 600, id)
    await asOwner(`update cell.token_order set ready_at = now() - interval '1 hour' where id = '${id}'`)
    assert.ok(Math.abs((await age('READYTOMINT')) - 3_600) < 600)
  })

  test('an order whose offering may not mint waits for an operator, not for a worker', async () => {
    await asOwner(`update cell.offering set minting_stopped = 'operator'`)
    assert.equal((await ageOf('orders_unminted_oldest_seconds', 'READYTOMINT')) ?? 0, 0)
    assert.ok(((await ageOf('orders_unminted_oldest_seconds', 'ON_HOLD')) ?? 0) > 3_000)
  })

  test('a booked, unmatched statement and an unfinished export have an age', async () => {
    assert.equal(await ageOf('bank_statement_unmatched_oldest_seconds'), 0)
    assert.equal(await ageOf('export_oldest_seconds'), 0)
    await asOwner(`
      insert into cell.bank_statement (tenant_id, id, file_hash, account, currency, bank_id, entry_count, created_at)
      values ('${world.tenantId}', gen_random_uuid(), sha256('x'), 'DE1', 'EUR', 'B1', 2, now() - interval '2 hours')`)
    await asOwner(`
      insert into cell.export (tenant_id, id, kind, filter, with_personal_data, created_by, created_at, expires_at)
      values ('${world.tenantId}', gen_random_uuid(), 'orders', '{}', false, gen_random_uuid(), now() - interval '3 hours', now())`)
    assert.ok(Math.abs(((await ageOf('bank_statement_unmatched_oldest_seconds')) ?? 0) - 7_200) < 600)
    assert.ok(Math.abs(((await ageOf('export_oldest_seconds')) ?? 0) - 10_800) < 600)
  })

  test('a job that fails again and again is retrying, even while it waits for its next attempt', async () => {
    await world.direct.run(createAccount, { body: individual })
    await asOwner(`
      update graphile_worker._private_jobs set attempts = 4, run_at = now() + interval '1 hour'
      where id = (select min(id) from graphile_worker._private_jobs)`)
    const pool = world.workerPool()
    const jobs = await selectMeasuredJobs(pool)
    await pool.end()
    const retrying = jobs.filter(({ state }) => state === 'retrying').reduce((sum, one) => sum + one.jobs, 0)
    assert.equal(retrying, 1)
  })
})
