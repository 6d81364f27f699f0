import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { createTestSigner } from '../../../test/harness/chain/test-signers.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { until, waitingForLocks } from '../../../test/harness/wait.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { allocateNonce, findSigner, lockSigner } from './signer.sql.ts'

describe('the signer of a tenant on a chain', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())

  const write = <Result>(tenantId: string, work: (tx: Transaction) => Promise<Result>) =>
    new DirectOperations(installation, tenantId).write(work)
  const create = (tenantId: string, chain = 'anvil') => createTestSigner(installation, tenantId, { chain })

  test('concurrent requests create one signer', async () => {
    const tenantId = await installation.createTenant('Once')
    const created = await Promise.all(Array.from({ length: 5 }, () => create(tenantId)))
    const [signer, ...others] = created.filter((one) => one !== undefined)
    assert.equal(others.length, 0)
    const found = await write(tenantId, (tx) => findSigner(tx, { tenantId, chain: 'anvil' }))
    assert.equal(found?.address, signer?.address)
    assert.equal(found?.nextNonce, 0)
    const onOtherChain = await create(tenantId, 'ethereum')
    assert.ok(onOtherChain && onOtherChain.address !== signer?.address, 'each chain has its own key')
  })

  test('nonces are unique and without gaps; a nonce that was rolled back is allocated again', async () => {
    const tenantId = await installation.createTenant('Nonces')
    const key = { tenantId, chain: 'anvil' }
    await create(tenantId)
    const allocate = () => write(tenantId, (tx) => allocateNonce(tx, key))
    const nonces = (await Promise.all(Array.from({ length: 10 }, allocate))).toSorted((one, other) => one - other)
    assert.deepEqual(nonces, [...Array(10).keys()])
    const rolledBack = write(tenantId, async (tx) => {
      await allocateNonce(tx, key)
      throw new Error('rolled back')
    })
    await assert.rejects(rolledBack, /rolled back/)
    assert.equal(await allocate(), 10)
  })

  test('a second transaction waits for the lock on the signer', async () => {
    const tenantId = await installation.createTenant('Lock')
    const key = { tenantId, chain: 'anvil' }
    await create(tenantId)
    const order: string[] = []
    const release = Promise.withResolvers<void>()
    const isLocked = Promise.withResolvers<void>()
    const first = write(tenantId, async (tx) => {
      await lockSigner(tx, key)
      isLocked.resolve()
      await release.promise
      order.push(`first ${await allocateNonce(tx, key)}`)
    })
    await isLocked.promise
    const second = write(tenantId, async (tx) => {
      const signer = await lockSigner(tx, key)
      order.push(`second ${signer?.nextNonce}`)
    })
    await until('the second transaction waits', async () => (await waitingForLocks(installation)) === 1)
    release.resolve()
    await Promise.all([first, second])
    assert.deepEqual(order, ['first 0', 'second 1'])
  })

  test('another tenant cannot see it', async () => {
    const [mine, other] = [await installation.createTenant('Mine'), await installation.createTenant('Other')]
    await create(mine)
    const key = { tenantId: mine, chain: 'anvil' }
    assert.equal(await write(other, (tx) => findSigner(tx, key)), undefined)
    await assert.rejects(write(other, (tx) => allocateNonce(tx, key)))
  })
})
