import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { TestInstallation } from '../../../test/harness/service.ts'
import { until, waitingForLocks } from '../../../test/harness/wait.ts'
import { Placement } from '../../platform/db/placement.ts'
import { inTenantTransaction } from '../../platform/db/tenant-transaction.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { Vaults } from '../../platform/db/vault.ts'
import { createSigner } from './create-signer.ts'
import { findSigner, lockSigner, takeNonce } from './signer.sql.ts'

describe('the signer of a tenant on a chain', () => {
  let installation: TestInstallation

  before(async () => {
    installation = await TestInstallation.create()
  })
  after(() => installation.end())

  const places = () => ({ databases: installation.databases, placement: new Placement(installation.databases) })
  const write = <Result>(tenantId: string, work: (tx: Transaction) => Promise<Result>) =>
    inTenantTransaction(places(), { tenantId, access: 'write' }, work)
  const create = (tenantId: string, chain = 'anvil') => {
    const keys = { vaults: new Vaults(installation.config.dataMasterKeys), module: undefined }
    return createSigner(places(), keys, { tenantId, chain })
  }

  test('is one, whoever asks for it at the same time', async () => {
    const tenantId = await installation.createTenant('Once')
    const made = await Promise.all(Array.from({ length: 5 }, () => create(tenantId)))
    const [signer, ...others] = made.filter((one) => 'address' in one)
    assert.equal(others.length, 0)
    const found = await write(tenantId, (tx) => findSigner(tx, { tenantId, chain: 'anvil' }))
    assert.equal(found?.address, signer?.address)
    assert.equal(found?.nextNonce, 0)
    const elsewhere = await create(tenantId, 'ethereum')
    assert.ok('address' in elsewhere && elsewhere.address !== signer?.address, 'another chain has a key of its own')
  })

  test('gives each number once and without a gap; one that was rolled back is given again', async () => {
    const tenantId = await installation.createTenant('Numbers')
    const key = { tenantId, chain: 'anvil' }
    await create(tenantId)
    const take = () => write(tenantId, (tx) => takeNonce(tx, key))
    assert.deepEqual(
      (await Promise.all(Array.from({ length: 10 }, take))).toSorted((one, other) => one - other),
      Array.from({ length: 10 }, (_, number) => number),
    )
    const rolledBack = write(tenantId, async (tx) => {
      await takeNonce(tx, key)
      throw new Error('rolled back')
    })
    await assert.rejects(rolledBack, /rolled back/)
    assert.equal(await take(), 10)
  })

  test('waits for who holds it', async () => {
    const tenantId = await installation.createTenant('Lane')
    const key = { tenantId, chain: 'anvil' }
    await create(tenantId)
    const order: string[] = []
    const held = Promise.withResolvers<void>()
    const isHeld = Promise.withResolvers<void>()
    const first = write(tenantId, async (tx) => {
      await lockSigner(tx, key)
      isHeld.resolve()
      await held.promise
      order.push(`first ${await takeNonce(tx, key)}`)
    })
    await isHeld.promise
    const second = write(tenantId, async (tx) => {
      const signer = await lockSigner(tx, key)
      order.push(`second ${signer?.nextNonce}`)
    })
    await until('the second waits', async () => (await waitingForLocks(installation)) === 1)
    held.resolve()
    await Promise.all([first, second])
    assert.deepEqual(order, ['first 0', 'second 1'])
  })

  test('is not seen by another tenant', async () => {
    const [mine, other] = [await installation.createTenant('Mine'), await installation.createTenant('Other')]
    await create(mine)
    const key = { tenantId: mine, chain: 'anvil' }
    assert.equal(await write(other, (tx) => findSigner(tx, key)), undefined)
    await assert.rejects(write(other, (tx) => takeNonce(tx, key)))
  })
})
