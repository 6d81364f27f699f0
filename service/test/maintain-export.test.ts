import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { individual } from './harness/data/bodies.ts'
import { PopulatedTenants } from './harness/every-operation/populated-tenants.ts'
import { runMaintain } from './harness/installation/process.ts'

interface Manifest {
  readonly left_out: { readonly tables: string[]; readonly columns: string[] }
  readonly files: readonly { file: string; table: string; rows: number; damaged: number; sha256: string }[]
}

describe('maintain export-tenant', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'investor-token-export-'))
  const folder = join(parent, 'export')
  const rowsOf = (table: string): Record<string, unknown>[] => {
    const found = manifest.files.find((file) => file.table === table)
    const lines = readFileSync(join(folder, found?.file ?? ''), 'utf8').split('\n')
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
  }
  const exportTo = (path: string) =>
    runMaintain(`--json export-tenant --tenant ${tenants.a} --folder ${path}`, tenants.installation.settings)

  const tenants = await PopulatedTenants.create()
  after(async () => {
    rmSync(parent, { recursive: true, force: true })
    await tenants.end()
  })
  // Inserts more rows than are fetched at once, with numbers that a double cannot represent.
  await tenants.installation.rows(
    `insert into cell.gas_day (tenant_id, chain, day, spent_wei, transaction_count)
     select tenant_id, chain, date '2020-01-01' + number, 9007199254740993, 1
     from cell.chain_signer, generate_series(1, 1200) number where tenant_id = $1`,
    [tenants.a],
  )
  await tenants.installation.rows(
    'update cell.unassigned_payment set payer = set_byte(payer, 50, 0) where tenant_id = $1',
    [tenants.a],
  )
  const exported = await exportTo(folder)
  assert.equal(exported.code, 0, exported.output)
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))

  test('writes every row of the tenant, of every table except those named as left out', async () => {
    const files = new Map(manifest.files.map((file) => [file.table, file]))
    for (const { name, owner } of tenants.tables) {
      if (manifest.left_out.tables.includes(name)) continue
      const [counted] = await tenants.installation.rows<{ rows: number }>(
        `select count(*)::int as rows from ${name} where ${owner} = $1`,
        [tenants.a],
      )
      // The command adds itself to the audit log before it reads.
      assert.equal(files.get(name)?.rows, counted?.rows, name)
      assert.equal(rowsOf(name).length, counted?.rows, name)
    }
    assert.ok(rowsOf('cell.gas_day').length > 1_000)
    assert.deepEqual(
      manifest.left_out.tables.filter((name) => !tenants.tables.some((table) => table.name === name)),
      [],
    )
  })

  test('writes nothing of another tenant', () => {
    for (const { file } of manifest.files)
      assert.ok(!readFileSync(join(folder, file), 'utf8').includes(tenants.b), file)
  })

  test('decrypts sealed values, and keeps all digits of numbers', () => {
    const [account] = rowsOf('cell.account')
    assert.ok(String(account?.['bank_account']).includes(individual.bank_account.iban))
    assert.deepEqual(
      rowsOf('cell.note').map(({ text }) => text),
      ['Called.'],
    )
    const file = manifest.files.find(({ table }) => table === 'cell.gas_day')
    assert.match(readFileSync(join(folder, file?.file ?? ''), 'utf8'), /"spent_wei": 9007199254740993[,}]/)
  })

  test('counts values that cannot be decrypted, and exports them as null', () => {
    const damaged = manifest.files.filter((file) => file.damaged > 0).map(({ table, damaged: count }) => [table, count])
    assert.deepEqual(damaged, [['cell.unassigned_payment', 1]])
    assert.deepEqual(
      rowsOf('cell.unassigned_payment').map(({ payer }) => payer),
      [null],
    )
  })

  test('contains no secret, and no hash of one', async () => {
    for (const { table } of manifest.files)
      for (const column of manifest.left_out.columns) assert.ok(!(column in (rowsOf(table)[0] ?? {})), table)
    const secrets = await tenants.installation.rows<{ secret: string }>(
      `select encode(mac, 'hex') as secret from directory.credential_secret where tenant_id = $1`,
      [tenants.a],
    )
    assert.ok(secrets.length > 0)
    const text = manifest.files.map(({ file }) => readFileSync(join(folder, file), 'utf8')).join('')
    for (const { secret } of secrets) assert.ok(!text.includes(secret))
  })

  test('writes files that only their owner can read and that match the manifest', () => {
    assert.equal(statSync(folder).mode & 0o777, 0o700)
    for (const { file, sha256 } of manifest.files) {
      assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600, file)
      assert.equal(
        createHash('sha256')
          .update(readFileSync(join(folder, file)))
          .digest('hex'),
        sha256,
        file,
      )
    }
  })

  test('is in the audit log, and overwrites nothing', async () => {
    const entries = await tenants.installation.rows('select from base.audit_log where tenant_id = $1 and action = $2', [
      tenants.a,
      'tenant.exported',
    ])
    assert.equal(entries.length, 1)
    const { code, output } = await exportTo(folder)
    assert.equal(code, 1)
    assert.match(output, /Folder .*export exists already: name a new one\./)
  })
})
