import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createRegisterExtract } from '../src/disclosure/register-extracts/create-register-extract.ts'
import { downloadDistributionFile } from '../src/distributions/operator/download-distribution-file.ts'
import type { SealedColumn } from '../src/maintain/data-keys/reseal.sql.ts'
import { type DataKeyRotation, rotateDataKey } from '../src/maintain/data-keys/rotate-data-key.ts'
import { sealedColumns } from '../src/maintain/restore/sealed-columns.ts'
import { rotatePaymentProvider } from '../src/money/payment-providers/operator/rotate-payment-provider.ts'
import { assignPayment } from '../src/money/payments/operator/assign-payment.ts'
import { downloadPayout } from '../src/money/payouts/operator/download-payout.ts'
import { releasePayout } from '../src/money/payouts/operator/release-payout.ts'
import { once } from '../src/platform/api/pipeline/idempotency.ts'
import { keyIdOf } from '../src/platform/base/sealed-box.ts'
import { createOwnerPool } from '../src/platform/postgres/pools.ts'
import { Vaults } from '../src/platform/postgres/vault.ts'
import { encryptionContext } from '../src/sales/accounts/account.view.ts'
import { createAccount } from '../src/sales/accounts/create-account.ts'
import { getAccount } from '../src/sales/accounts/get-account.ts'
import { newKycProviderExamples } from '../src/sales/kyc-providers/kyc-provider.schema.ts'
import { rotateKycProvider } from '../src/sales/kyc-providers/operator/rotate-kyc-provider.ts'
import { simulateWallet } from '../src/simulations/simulate-wallet.ts'
import { rotateWebhookSecret } from '../src/webhooks/operator/rotate-webhook-secret.ts'
import { DirectOperations } from './harness/callers/operations.ts'
import { createTestSigner } from './harness/chain/test-signers.ts'
import { individual, taxInformation } from './harness/data/bodies.ts'
import { createEligibleAccount } from './harness/data/eligibility.ts'
import { Fixtures } from './harness/data/fixtures.ts'
import { startNode } from './harness/installation/process.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { testKey } from './harness/installation/test-keys.ts'
import { createOperatorWorld } from './harness/operator-requests/operator-world.ts'
import { until, waitingForLocks } from './harness/wait.ts'

describe('data keys', async () => {
  let direct: DirectOperations
  const account = { ...individual, tax_information: taxInformation }

  const installation = await TestInstallation.create()
  after(() => installation.end())
  const world = await createOperatorWorld(installation, 'A')
  const { tenantId } = world
  direct = new DirectOperations(installation, tenantId)
  // Creates a value in every sealed column.
  const bigger = { ...account, individual: { ...individual.individual, lastName: 'L'.repeat(100) } }
  const accountId = (await direct.run(createAccount, { body: bigger })).id
  await direct.run(simulateWallet, { params: { accountId }, body: {} })
  await direct.run(rotatePaymentProvider, { params: { providerId: world.providerId }, body: {} })
  await direct.run(rotateKycProvider, { params: { kycProviderId: world.kycProviderId }, body: {} })
  const offeringId = await new Fixtures(installation).offering(tenantId)
  await createEligibleAccount(installation, { tenantId, offeringId, accountId })
  await direct.run(createRegisterExtract, {
    params: { accountId },
    body: { offering_id: offeringId, format: 'json' },
  })
  await direct.run(rotateWebhookSecret, { params: { endpointId: world.endpointId }, body: {} })
  await direct.run(releasePayout, { params: { payoutId: world.payoutId } })
  await direct.run(downloadPayout, { params: { payoutId: world.payoutId } })
  // Files pay only approved accounts.
  const approve = `update cell.account set kyc_status = 'APPROVED', kyb_status = 'APPROVED'`
  await installation.rows(approve)
  await direct.run(downloadDistributionFile, { params: { fileId: world.fileId } })
  await direct.run(assignPayment, { params: { paymentId: world.paymentId }, body: { order_id: world.orderId } })
  const note = { subject_type: 'order', subject_id: world.orderId, text: 'Called.' }
  const operatorApi = await installation.operatorApi()
  await operatorApi.call(tenantId, 'POST', '/notes', note)
  await installation.useDefaultPolicies(tenantId)
  const newProvider = { ...newKycProviderExamples.sumsub, name: 'proposed' }
  await operatorApi.call(tenantId, 'POST', '/kyc-providers', newProvider)
  // The signer of the world has no real key.
  await installation.rows(`update cell.chain_signer set key_backend = 'none'`)
  await createTestSigner(installation, tenantId, { chain: 'another' })
  const storing = new Vaults(installation.config.dataMasterKeys)
  const request = { tenantId, clientId: world.clientId, method: 'POST', canonicalPath: '/', body: {} }
  const effect = async () => ({ status: 201, text: '{}' })
  // Exceeds one batch.
  await direct.write(async (tx) => {
    for (let key = 0; key < 150; key += 1)
      await once(tx, storing.of(tx, tenantId), { ...request, key: String(key) }, effect)
  })

  interface Value extends Record<string, unknown> {
    sealed: Buffer
  }
  const valuesOf = ({ table, column, where = 'true' }: SealedColumn) =>
    installation.owner(async (client) => {
      const sealed = `${table}.${column} as sealed`
      const condition = `tenant_id = $1 and ${where} and ${column} is not null`
      return (await client.query<Value>(`select *, ${sealed} from ${table} where ${condition}`, [tenantId])).rows
    })

  /** Opens every sealed value of the tenant, without cached keys. Returns the ids of their keys and the plain texts. */
  async function openAll(): Promise<{ keyIds: Set<string>; texts: string[] }> {
    const vaults = new Vaults(installation.config.dataMasterKeys)
    const [keyIds, texts] = [new Set<string>(), [] as string[]]
    for (const column of sealedColumns) {
      const values = await valuesOf(column)
      assert.ok(values.length > 0, `${column.table}.${column.column} has no value`)
      for (const value of values) {
        keyIds.add(keyIdOf(value.sealed))
        const context = column.contextOf(value)
        texts.push(await direct.write((tx) => vaults.of(tx, tenantId).open(value.sealed, context)))
      }
    }
    return { keyIds, texts: texts.toSorted() }
  }
  const storedKeys = () =>
    installation.owner(async (client) => {
      const { rows } = await client.query<{ id: string }>(
        'select id from cell.data_key where tenant_id = $1 order by created_at desc',
        [tenantId],
      )
      return rows.map(({ id }) => id)
    })
  const start = (args: string[], settings: Record<string, string> = {}, preload: string[] = []) =>
    startNode([...preload, './src/maintain/maintain.ts', '--json', ...args], { ...installation.settings, ...settings })
  /** Rotates as the command does, but without starting a process. */
  async function rotate(): Promise<DataKeyRotation> {
    const pool = createOwnerPool(installation.config.databaseUrl)
    const [vaults, columns] = [new Vaults(installation.config.dataMasterKeys), sealedColumns]
    const context = { epoch: undefined, vaults, columns, onProgress: () => {}, audit: async () => {} }
    try {
      return await rotateDataKey(pool, tenantId, context)
    } finally {
      await pool.end()
    }
  }
  const letTimePass = () =>
    installation.rows(`update cell.data_key set created_at = created_at - interval '1 hour' where tenant_id = $1`, [
      tenantId,
    ])

  test('every binary column of a cell is either in the list of sealed columns or known to be unsealed', async () => {
    const rows = await installation.rows<{ name: string }>(`
        select table_schema || '.' || table_name || '.' || column_name as name from information_schema.columns
        where table_schema in ('base', 'cell') and data_type = 'bytea'
          and (table_schema || '.' || table_name)::regclass not in (select inhrelid from pg_inherits)`)
    const hashChain = ['base.audit_head.hash', 'base.audit_log.hash', 'base.audit_log.previous_hash']
    const fileHashes = ['cell.bank_statement.file_hash', 'cell.document.sha256', 'cell.statement_file.file_hash']
    const documentHashes = ['cell.document_acceptance.sha256', 'cell.required_document.sha256']
    const extractHashes = ['cell.export.sha256', 'cell.register_extract.sha256']
    const hashes = [...hashChain, ...fileHashes, ...documentHashes, ...extractHashes, 'cell.idempotency.key_hash']
    const notSealed = [...hashes, 'cell.data_key.wrapped']
    assert.deepEqual(
      rows.map(({ name }) => name).toSorted(),
      [...notSealed, ...sealedColumns.map(({ table, column }) => `${table}.${column}`)].toSorted(),
    )
  })

  test('the next run continues a killed one; the old key goes once nothing is under it, and everything stays readable', async () => {
    const first = await openAll()
    const [oldKey] = await storedKeys()
    assert.deepEqual([...first.keyIds], [oldKey])
    const kill = { KILL_ON: 'update cell.bank_entry', KILL_AFTER: '0' }
    const killed = start(['rotate-data-key', '--tenant', tenantId], kill, [
      '--import',
      './test/harness/faults/kill-statement.ts',
    ])
    assert.equal(await killed.ended, null, killed.output.join('\n'))
    const [newKey, ...older] = await storedKeys()
    assert.deepEqual(older, [oldKey])
    const between = await openAll()
    assert.deepEqual(between.keyIds, new Set([newKey, oldKey]), 'some values have the new key, others the old one')
    assert.deepEqual(between.texts, first.texts)

    const continued = await rotate()
    assert.deepEqual([continued.isNewKey, continued.rowsLeft, continued.oldKeysLeft], [false, 0, 1])
    assert.deepEqual(await openAll(), { keyIds: new Set([newKey]), texts: first.texts })

    await letTimePass()
    const last = await rotate()
    assert.deepEqual([last.resealed, last.oldKeysDropped, last.oldKeysLeft], [0, 1, 0])
    assert.deepEqual(await storedKeys(), [newKey])
    assert.deepEqual(await openAll(), { keyIds: new Set([newKey]), texts: first.texts })
  })

  test('a process with the old key in its cache keeps that key from being dropped', async () => {
    const [oldKey = ''] = await storedKeys()
    // Caches the current key, as a process of the service does for a minute.
    const stale = new DirectOperations(installation, tenantId)
    await stale.run(createAccount, { body: account })
    await rotate()
    const { id } = await stale.run(createAccount, { body: account })
    await letTimePass()
    const lastBox = async () => {
      const rows = await installation.rows<{ box: Buffer }>(
        'select bank_account as box from cell.account where id = $1',
        [id],
      )
      return keyIdOf(rows[0]?.box ?? Buffer.alloc(0))
    }
    assert.equal(await lastBox(), oldKey)
    const locked = await installation.owner(async (client) => {
      await client.query('begin')
      await client.query('select from cell.account where id = $1 for update', [id])
      const skipped = await rotate()
      await client.query('rollback')
      return skipped
    })
    // The row has two sealed values.
    assert.deepEqual([locked.rowsLeft, locked.oldKeysLeft, await lastBox()], [2, 1, oldKey])
    const last = await rotate()
    assert.deepEqual([last.resealed, last.oldKeysDropped], [2, 1])
    assert.deepEqual((await direct.run(getAccount, { params: { accountId: id } })).bank_account, account.bank_account)
  })

  test('a rotation does not overwrite a value that the service changes meanwhile', async () => {
    direct = new DirectOperations(installation, tenantId)
    const { id } = await direct.run(createAccount, { body: account })
    const changed = { ...account.bank_account, bank: 'Changed meanwhile' }
    const vaults = new Vaults(installation.config.dataMasterKeys)
    const box = await direct.write((tx) =>
      vaults.of(tx, tenantId).seal(JSON.stringify(changed), encryptionContext(id, 'bank_account')),
    )
    const read = async () => (await direct.run(getAccount, { params: { accountId: id } })).bank_account
    await installation.owner(async (client) => {
      await client.query('begin')
      await client.query('update cell.account set bank_account = $2 where id = $1', [id, box])
      let hasEnded = false
      const running = rotate().finally(() => {
        hasEnded = true
      })
      // The rotation skips the locked row. If it waited for the lock, it would continue with the old value.
      const isDone = async () => hasEnded || (await waitingForLocks(installation)) > 0
      await until('the rotation has seen the row', isDone)
      await client.query('commit')
      await running
    })
    assert.deepEqual(await read(), changed)
    assert.equal((await rotate()).rowsLeft, 0)
    assert.deepEqual(await read(), changed)
    assert.deepEqual([...(await openAll()).keyIds], (await storedKeys()).slice(0, 1))
  })

  test('a damaged value keeps its key, and the others still get the new one', async () => {
    await letTimePass()
    assert.equal((await rotate()).oldKeysLeft, 0)
    const { id } = await new DirectOperations(installation, tenantId).run(createAccount, { body: account })
    await installation.rows('update cell.account set bank_account = set_byte(bank_account, 60, 0) where id = $1', [id])
    await rotate()
    await letTimePass()
    const rotation = await rotate()
    assert.deepEqual([rotation.rowsLeft, rotation.oldKeysDropped, rotation.oldKeysLeft], [1, 0, 1])
    await installation.rows('delete from cell.account where id = $1', [id])
    assert.equal((await rotate()).oldKeysDropped, 1)
    await openAll()
  })

  test('rotate-data-key changes nothing in a cell that the tenant has left', async () => {
    const setState = (state: string) =>
      installation.rows('update cell.residence set state = $2 where tenant_id = $1', [tenantId, state])
    const keys = await storedKeys()
    await setState('left')
    const run = start(['rotate-data-key', '--tenant', tenantId])
    assert.equal(await run.ended, 1, run.output.join('\n'))
    assert.match(run.output.join(), /The tenant is moving or has moved to another cell/)
    await setState('here')
    assert.deepEqual(await storedKeys(), keys)
  })

  test('rewrap-data-keys --all rewraps the keys of every tenant, so that the old master key can be removed', async () => {
    const second = await installation.createTenant('B')
    const newMaster = testKey('newer', 'another master key')
    const ring = `${newMaster},${installation.settings['DATA_MASTER_KEYS']}`
    const run = start(['rewrap-data-keys', '--all'], { DATA_MASTER_KEYS: ring })
    assert.equal(await run.ended, 0, run.output.join('\n'))
    const rows = await installation.rows<{ tenant_id: string; master_key_id: string }>(
      'select tenant_id, master_key_id from cell.data_key',
    )
    assert.deepEqual(new Set(rows.map((row) => row.tenant_id)), new Set([tenantId, second]))
    assert.deepEqual(new Set(rows.map((row) => row.master_key_id)), new Set(['newer']))
    for (const args of [[], ['--all', '--tenant', second]]) {
      const unclear = start(['rewrap-data-keys', ...args])
      assert.equal(await unclear.ended, 1)
      assert.match(unclear.output.join(), /Set either --tenant or --all/)
    }
  })
})
