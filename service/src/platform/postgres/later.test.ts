import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { insertStoredResponse } from '../api/pipeline/idempotency.sql.ts'
import { inTransaction } from './run-transaction.ts'
import { sql } from './sql.ts'
import type { Access, Transaction } from './transaction.ts'

describe('a statement that runs later', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const tenantId = await installation.createTenant('A')

  const inTenant = <Result>(access: Access, work: (tx: Transaction) => Promise<Result>) =>
    inTransaction(installation.databases.directory, { access, identity: { tenantId } }, work)
  const count = sql`select account_count::int as count from cell.tenant`
  const countNow = async () => (await inTenant('read', (tx) => tx.row<{ count: number }>(count)))?.count ?? 0
  const add = sql`update cell.tenant set account_count = account_count + 1`
  const double = sql`update cell.tenant set account_count = account_count * 2`

  test('commits with the transaction, although nothing follows it', async () => {
    const earlier = await countNow()
    await inTenant('write', async (tx) => tx.later(add))
    assert.equal(await countNow(), earlier + 1)
  })

  test('runs in the order of the source, before what follows it', async () => {
    const earlier = await countNow()
    const seen = await inTenant('write', async (tx) => {
      tx.later(add)
      const [, first] = await tx.batch(
        (tx) => tx.rows(double),
        (tx) => tx.row(count),
      )
      tx.later(add)
      await Promise.resolve()
      return [first, await tx.row(count)]
    })
    assert.deepEqual(seen, [{ count: (earlier + 1) * 2 }, { count: (earlier + 1) * 2 + 1 }])
  })

  test('is never sent if the work fails', async () => {
    const earlier = await countNow()
    const failing = inTenant('write', async (tx) => {
      tx.later(add)
      throw new Error('failed')
    })
    await assert.rejects(failing, { message: 'failed' })
    assert.equal(await countNow(), earlier)
  })

  // At first the connection has not prepared the statements, and sends them one by one.
  for (const time of ['first', 'second', 'third'])
    test(`rolls everything back if it fails, the ${time} time`, async () => {
      const earlier = await countNow()
      const failing = inTenant('write', async (tx) => {
        await tx.rows(add)
        tx.later(sql`update cell.tenant set account_count = account_count / ${0}::int`)
        tx.later(double)
        return 'done'
      })
      await assert.rejects(failing, { code: '22012' })
      assert.equal(await countNow(), earlier)
    })

  test('reports its failure as the error that errorOf returns', async () => {
    const failing = (errorOf: (error: { code?: string }) => Error | undefined) =>
      inTenant('write', async (tx) => {
        tx.later(add, () => undefined)
        tx.later(sql`update cell.tenant set account_count = account_count / ${0}::int`, errorOf)
      })
    await assert.rejects(
      failing(({ code }) => (code === '22012' ? new Error('divided') : undefined)),
      { message: 'divided' },
    )
    await assert.rejects(
      failing(() => undefined),
      { code: '22012' },
    )
  })

  test('is rejected in a read, which has no commit to travel with', async () => {
    const rejected = { message: 'a read runs no statement later' }
    await assert.rejects(
      inTenant('read', async (tx) => tx.later(add)),
      rejected,
    )
    const inBatch = async (tx: Transaction) =>
      tx.batch(
        (tx) => tx.row(count),
        async (tx) => tx.later(add),
      )
    await assert.rejects(inTenant('read', inBatch), rejected)
  })

  test('the response of an idempotency key that has not expired cannot be replaced', async () => {
    const stored = { tenantId, keyHash: Buffer.alloc(32, 7), status: 201, body: Buffer.from('first') }
    await inTenant('write', async (tx) => insertStoredResponse(tx, stored))
    const again = inTenant('write', async (tx) => insertStoredResponse(tx, { ...stored, body: Buffer.from('second') }))
    await assert.rejects(again, { code: '23502', column: 'expires_at' })
    await installation.owner((owner) => owner.query(`update cell.idempotency set expires_at = now()`))
    await inTenant('write', async (tx) => insertStoredResponse(tx, { ...stored, body: Buffer.from('third') }))
  })
})
