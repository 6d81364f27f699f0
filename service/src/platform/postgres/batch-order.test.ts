import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { inTransaction } from './run-transaction.ts'
import { sql } from './sql.ts'
import type { Access, Transaction } from './transaction.ts'

describe('a batch', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const tenantId = await installation.createTenant('A')

  const inTenant = <Result>(access: Access, work: (tx: Transaction) => Promise<Result>) =>
    inTransaction(installation.databases.directory, { access, identity: { tenantId } }, work)
  const add = sql`update cell.tenant set account_count = account_count + 1 returning account_count::int as count`
  const count = sql`select account_count::int as count from cell.tenant`
  const late = /has waited before its first statement/

  test('runs its parts in order, each with the result at its own position', async () => {
    const results = await inTenant('write', (tx) =>
      tx.batch(
        (tx) => tx.row(add),
        () => 'no statement',
        (tx) =>
          tx.each([1, 2], (tx, factor) =>
            tx.row(sql`select account_count::int * ${factor}::int as count from cell.tenant`),
          ),
        async (tx) => {
          await tx.row(add)
          return tx.row(count)
        },
      ),
    )
    assert.deepEqual(results, [{ count: 1 }, 'no statement', [{ count: 1 }, { count: 2 }], { count: 2 }])
  })

  for (const access of ['read', 'write'] as const)
    test(`of a transaction to ${access} fails if a part waits before its first statement`, async () => {
      const waiting = inTenant(access, (tx) =>
        tx.batch(
          async (tx) => {
            await Promise.resolve()
            return tx.row(count)
          },
          (tx) => tx.row(count),
        ),
      )
      await assert.rejects(waiting, late)
      const inside = inTenant(access, (tx) =>
        tx.each([1, 2], async (tx, number) => {
          if (number === 1) await Promise.resolve()
          await tx.batch((tx) => tx.row(count))
        }),
      )
      await assert.rejects(inside, late)
    })
})
