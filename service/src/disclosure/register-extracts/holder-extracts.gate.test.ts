import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { OperatorClient } from '../../../test/harness/callers/operator-client.ts'
import { confirmAs } from '../../../test/harness/callers/second-person.ts'
import { ExportRows } from '../../../test/harness/data/export-rows.ts'
import type { Party } from '../../../test/harness/data/fixtures.ts'
import { readPdfPages } from '../../../test/harness/data/pdf-pages.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { type ApiResponse, assertError } from '../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { RegisterWorld } from '../../../test/harness/tokens/register-world.ts'
import { extractChanges } from './extract-changes.job.ts'

const details = {
  isin: 'US0378331005',
  issuer_name: 'Harbour Issuer GmbH',
  issuer_lei: '7H6GLXDRUGQFU57RNE97',
  nominal_amount: '1000',
  nominal_currency: 'EUR',
  extract_format: 'json',
}

describe('extracts of one holder', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const [api, operatorApi] = await Promise.all([installation.startApi(), installation.startOperatorApi()])
  const tenant = await TestTenant.create(installation, api)
  const operator = await OperatorClient.create(installation, operatorApi, tenant.id, 'all duties')
  const world = await RegisterWorld.create(installation, tenant.id)
  const ada = await world.investor('Lovelace')
  const bob = await world.investor('Babbage')
  await world.apply([{ to: ada.address, units: 3_000_000_000n }])

  const sql = (text: string, values?: unknown[]) => installation.rows(text, values)
  const switchOn = (change: object = {}) =>
    operator.post(`/offerings/${world.offeringId}/register-details`, { ...details, ...change })
  const run = () =>
    extractChanges.run(
      { tenant_id: tenant.id, offering_id: world.offeringId },
      new ExportRows(installation, tenant.id).context(),
    )
  const pathOf = ({ accountId }: Party) => `/accounts/${accountId}/register-extracts`
  const request = (who: Party, change: object = {}) =>
    tenant.post(pathOf(who), { offering_id: world.offeringId, format: 'json', ...change })
  const fileOf = ({ body }: ApiResponse) => Buffer.from(body.content, 'base64')
  const changesOf = async (who: Party) => {
    const { body } = await tenant.get(`${pathOf(who)}?limit=50`)
    return body.extracts.filter(({ cause }: { cause: string }) => cause === 'change').toReversed()
  }
  const jobs = () =>
    sql(
      `select from graphile_worker.jobs join graphile_worker._private_jobs private using (id)
       where jobs.task_identifier = 'extract-changes' and private.payload ->> 'offering_id' = $1`,
      [world.offeringId],
    )

  test('are made on request, contain nothing of others, and have their hash in the audit log', async () => {
    await world.apply([{ from: ada.address, to: bob.address, units: 1_000_000_000n }])
    for (const format of ['json', 'csv', 'pdf']) {
      const made = await request(bob, { format })
      assert.equal(made.status, 201, made.text)
      const file = fileOf(made)
      const sha256 = createHash('sha256').update(file).digest('hex')
      assert.deepEqual([made.body.sha256, made.body.bytes, made.body.units], [sha256, file.length, '1000000000'])
      assert.deepEqual([made.body.block, made.body.block_hash], [2, world.hashOf(2)])
      const text = format === 'pdf' ? (await readPdfPages(file)).flat().join('\n') : file.toString()
      assert.ok(text.includes('Babbage') && text.includes(bob.address))
      for (const other of ['Lovelace', ada.address, ada.accountId]) assert.ok(!text.includes(other), format)
      const read = await tenant.get(`${pathOf(bob)}/${made.body.id}`)
      assert.deepEqual(read.body, made.body)
      const [entry] = await sql(`select actor_type, after from base.audit_log where subject_id = $1`, [made.body.id])
      assert.equal(entry?.actor_type, 'credential')
      assert.deepEqual([entry?.after.sha256, entry?.after.block_hash], [sha256, world.hashOf(2)])
      assert.ok(!JSON.stringify(entry).includes('Babbage'))
      const [sealed] = await sql('select content from cell.register_extract where id = $1', [made.body.id])
      assert.ok(!sealed?.content.includes(bob.address))
    }
    const earlier = await request(bob, { at: world.timeOf(1) })
    assert.deepEqual([earlier.body.units, earlier.body.block], ['0', 1])
    assertError(await request(bob, { at: '2027-01-01T00:00:00.000Z' }), 409, 'block_not_finalized')
    assertError(await request(bob, { offering_id: crypto.randomUUID() }), 404, 'not_found')
    assertError(await request({ ...bob, accountId: crypto.randomUUID() }), 404, 'not_found')
    const { body } = await tenant.get(pathOf(bob))
    const foreign = `${pathOf(ada)}/${body.extracts[0].id}`
    assertError(await tenant.get(foreign), 404, 'not_found')
  })

  test('are made after each finalized change once they are switched on, once for each holder and block', async () => {
    assert.equal((await jobs()).length, 0, 'off by default')
    await run()
    assert.deepEqual(await changesOf(ada), [])
    assert.equal((await switchOn()).status, 200)
    await run()
    assert.deepEqual(await changesOf(ada), [], 'not for changes before')
    const sold = await world.apply([{ from: ada.address, to: bob.address, units: 500_000_000n }])
    assert.equal((await jobs()).length, 1, 'the applied log enqueues the job')
    const frozen = await world.apply([{ kind: 'frozen', to: bob.address, units: 7n }])
    const burned = await world.apply([{ from: bob.address, units: 1_500_000_000n }])
    await Promise.all([run(), run()])
    await run()
    const seen = async (who: Party) =>
      (await changesOf(who)).map(({ block, units }: { block: number; units: string }) => [block, units])
    assert.deepEqual(await seen(ada), [[sold, '1500000000']])
    assert.deepEqual(await seen(bob), [
      [sold, '1500000000'],
      [frozen, '1500000000'],
      [burned, '0'],
    ])
    const [, ofFreeze] = await changesOf(bob)
    const file = JSON.parse(fileOf(await tenant.get(`${pathOf(bob)}/${ofFreeze.id}`)).toString())
    assert.deepEqual([file.holders.length, file.holders[0].frozen_units], [1, '7'])
    assert.deepEqual(file.as_of, {
      time: world.timeOf(frozen),
      block: frozen,
      block_hash: world.hashOf(frozen),
      block_time: world.timeOf(frozen),
    })
    const events = await sql(
      `select data from (select type, data from cell.event_outbox union all select type, data from cell.event) recorded
       where type = 'register_extract.created' and data ->> 'cause' = 'change'`,
    )
    assert.equal(events.length, 4)
    assert.deepEqual(Object.keys(events[0]?.data).toSorted(), [
      'account_id',
      'block',
      'cause',
      'extract_id',
      'format',
      'offering_id',
      'sha256',
    ])
    const verified = await operator.post('/audit/verify', {})
    assert.equal(verified.body.problem, null)
  })

  test('wait for the cursor of the indexer, so that no block is extracted in part', async () => {
    const block = await world.apply([{ from: ada.address, to: bob.address, units: 1n }])
    await sql('update cell.chain_cursor set finalized_number = $1', [block - 1])
    await sql(`delete from graphile_worker._private_jobs`)
    await run()
    assert.ok((await changesOf(ada)).every((one: { block: number }) => one.block < block))
    assert.equal((await jobs()).length, 1, 'the job comes back')
    await sql('update cell.chain_cursor set finalized_number = $1', [block])
    await run()
    assert.equal((await changesOf(ada)).at(-1).block, block)
  })

  test('lose their files but not their hashes when the account is erased; after that, none is made', async () => {
    await world.apply([{ from: bob.address, to: ada.address, units: 1n }])
    await run()
    const made = await changesOf(bob)
    await sql(`update cell.wallet set status = 'INACTIVE' where id = $1`, [bob.walletId])
    const second = await installation.createOperator(tenant.id)
    const proposal = await operator.post(`/accounts/${bob.accountId}/erase`, { reason: 'request of the investor' })
    const erased = await confirmAs(operatorApi, second, proposal)
    assert.equal(erased.status, 200, erased.text)
    assert.deepEqual(await changesOf(bob), made)
    for (const { id } of made) assert.equal((await tenant.get(`${pathOf(bob)}/${id}`)).body.content, null)
    const [left] = await sql(
      'select count(*)::int as count from cell.register_extract where account_id = $1 and content is not null',
      [bob.accountId],
    )
    assert.equal(left?.count, 0)
    assertError(await request(bob), 409, 'account_erased')
    await world.apply([{ from: ada.address, to: bob.address, units: 1n }])
    await run()
    assert.deepEqual(await changesOf(bob), made)
  })
})
