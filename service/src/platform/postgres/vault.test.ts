import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { individual, taxInformation } from '../../../test/harness/data/bodies.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { startMaintain } from '../../../test/harness/installation/process.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import { testKey } from '../../../test/harness/installation/test-keys.ts'
import { until } from '../../../test/harness/wait.ts'
import { newId } from '../base/ids.ts'
import { keyIdOf, open, seal } from '../base/sealed-box.ts'

const oldMaster = testKey('old', 'the master key that the tenant starts with')
const newMaster = testKey('new', 'the master key that replaces the old one')

describe('encrypted data', async () => {
  const installation = await TestInstallation.create({ DATA_MASTER_KEYS: oldMaster })
  after(() => installation.end())
  const api = await installation.startApi()
  const tenant = await TestTenant.create(installation, api)

  const account = { ...individual, tax_information: taxInformation }
  const sealedOf = async (accountId: string) => {
    const rows = await installation.rows<{ bank_account: Buffer; tax_information: Buffer }>(
      'select bank_account, tax_information from cell.account where id = $1',
      [accountId],
    )
    return rows[0] ?? assert.fail('no such account')
  }
  async function maintain(masterKeys: string, command: string): Promise<void> {
    const settings = { ...installation.settings, DATA_MASTER_KEYS: masterKeys }
    const run = startMaintain([command, '--tenant', tenant.id], settings)
    assert.equal(await run.ended, 0, run.output.join('\n'))
  }

  test('bank and tax data are encrypted; names and e-mail are not, so that operators can search', async () => {
    const id = await tenant.account(account)
    const rows = await installation.rows<{ row: string }>(
      'select account::text as row from cell.account where id = $1',
      [id],
    )
    const row = rows[0]?.row ?? ''
    const sealed = await sealedOf(id)
    const stored = row + sealed.bank_account.toString('latin1') + sealed.tax_information.toString('latin1')
    for (const secret of ['DE89370400440532013000', 'COBADEFFXXX', 'Testbank', '12345678901'])
      assert.ok(!stored.includes(secret), secret)
    for (const plain of ['Lovelace', 'ada@example.com']) assert.ok(row.includes(plain))
  })

  test('a sealed box does not open after a bit flip or a copy to another account or column', async () => {
    const [mine, other] = [await tenant.account(account), await tenant.account(account)]
    const sealed = await sealedOf(mine)
    const broken = Buffer.from(sealed.bank_account)
    broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ 1
    for (const box of [broken, (await sealedOf(other)).bank_account, sealed.tax_information]) {
      await installation.rows('update cell.account set bank_account = $1 where id = $2', [box, mine])
      assert.equal((await tenant.get(`/accounts/${mine}`)).status, 500)
    }
  })

  test('after rotate-data-key, all data has the new key, and a process with the old key in its cache reads it', async () => {
    const older = await tenant.account(account)
    const oldKey = keyIdOf((await sealedOf(older)).bank_account)
    await maintain(oldMaster, 'rotate-data-key')
    const fresh = await installation.startApi()
    const newer = await fresh.call('POST', '/accounts', {
      token: tenant.token,
      body: account,
      headers: { 'x-idempotency-key': crypto.randomUUID() },
    })
    const newKey = keyIdOf((await sealedOf(newer.body.id)).bank_account)
    assert.notEqual(newKey, oldKey)
    assert.equal(keyIdOf((await sealedOf(older)).bank_account), newKey)
    // The first process has cached only the old key, and loads the new one when it reads data sealed with it.
    for (const id of [older, newer.body.id])
      assert.deepEqual((await tenant.get(`/accounts/${id}`)).body.bank_account, account.bank_account)
  })

  test('a master key can be replaced: add the new one to the ring, rewrap, remove the old one', async () => {
    const id = await tenant.account(account)
    const readWith = async (masterKeys: string) => {
      const one = await installation.startApi({ DATA_MASTER_KEYS: masterKeys })
      return (await one.call('GET', `/accounts/${id}`, { token: tenant.token })).status
    }
    assert.equal(await readWith(newMaster), 500, 'fails without the master key that wraps the data key')
    assert.equal(await readWith(`${newMaster},${oldMaster}`), 200)
    await maintain(`${newMaster},${oldMaster}`, 'rewrap-data-keys')
    assert.equal(await readWith(newMaster), 200)
  })

  test('a sealed box opens only with its key and context', () => {
    const key = { id: newId(), secret: createSecretKey(Buffer.alloc(32, 7)) }
    const box = seal(key, Buffer.from('plain'), 'here')
    assert.equal(keyIdOf(box), key.id)
    assert.equal(open(key, box, 'here').toString(), 'plain')
    assert.throws(() => open(key, box, 'there'))
    assert.throws(() => open({ ...key, secret: createSecretKey(Buffer.alloc(32, 8)) }, box, 'here'))
    assert.throws(() => keyIdOf(Buffer.from('x')))
  })

  test('the worker creates idempotency partitions a week ahead and drops expired ones', async () => {
    const partitions = async () => {
      const rows = await installation.rows<{ name: string }>(
        `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'cell.idempotency'::regclass`,
      )
      return rows.map(({ name }) => name).toSorted()
    }
    const dayOf = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
    const nameOf = (offset: number) => `cell.idempotency_${dayOf(offset).replaceAll('-', '')}`
    await installation.rows(`
        create table ${nameOf(-2)} partition of cell.idempotency for values from ('${dayOf(-2)}') to ('${dayOf(-1)}');
        drop table if exists ${nameOf(7)}`)
    assert.ok((await partitions()).includes(nameOf(-2)))
    await installation.startWorker()
    await until('the worker has rolled the partitions', async () => !(await partitions()).includes(nameOf(-2)))
    const expected = Array.from({ length: 8 }, (_, offset) => nameOf(offset))
    // The database may be a copy made yesterday, whose partition has not expired.
    const current = (await partitions()).filter((name) => name !== nameOf(-1))
    assert.deepEqual(current, [...expected, 'cell.idempotency_default'].toSorted())
  })
})
