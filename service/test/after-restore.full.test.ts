import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { RestoredInstallation } from './harness/clusters/restored.ts'
import { TestTenant } from './harness/data/tenant.ts'
import { connect } from './harness/installation/database.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'

// A node that does not exist, so the command stops at the signers.
const broken = { CHAINS: 'anvil=http://127.0.0.1:1' }

describe('maintain after-restore', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const api = await installation.startApi()
  const tenant = await TestTenant.create(installation, api)
  const credential = await installation.issueCredential(tenant.id, { requestsPerMinute: 60_000 })
  await tenant.account()
  await tenant.account()
  await installation.numberEvents()

  const headOf = async (of: TestInstallation) => {
    const rows = await of.rows('select last_sequence::float8 as last from cell.event_head where tenant_id = $1', [
      tenant.id,
    ])
    return rows[0].last as number
  }
  const grants = async (of: TestInstallation) => {
    const rows = await of.rows('select datacl::text as acl from pg_database where datname = current_database()')
    return rows[0].acl as string | null
  }

  test('refuses to run while another connection exists, and names it', async () => {
    const restored = await RestoredInstallation.of(installation)
    try {
      const { databaseUrl } = restored.installation.config
      const revoked = restored.file('none')
      const client = await connect(databaseUrl)
      const args = ['after-restore', '--cell', 'main', '--to', restored.to, '--revoked', revoked]
      const { code, output } = await restored.maintain(args)
      await client.end()
      assert.equal(code, 1)
      assert.match(output, /1 other connections exist: \w+ \(pid \d+\)\. Stop those processes/)
      assert.doesNotMatch(output, /at .*\.ts:\d+/)
      assert.equal((await restored.maintain(args)).code, 0)
    } finally {
      await restored.end()
    }
  })

  test('refuses a database to which a process has written since the restore, and a wrong moment', async () => {
    const restored = await RestoredInstallation.of(installation)
    try {
      await restored.installation.issueCredential(tenant.id)
      await restored.installation.rows(`insert into cell.event_outbox (tenant_id, id, type, scope, version, data)
          values ('${tenant.id}', gen_random_uuid(), 'order.paid', 'order.read', '2026-07-02', '{}')`)
      const { code, output } = await restored.afterRestore()
      assert.equal(code, 1)
      assert.match(output, /has rows from after .*: 1 in cell\.event_outbox/)
      assert.match(output, /a process has written since: then restore again/)
      assert.equal(await headOf(restored.installation), await headOf(installation), 'nothing was changed')
    } finally {
      await restored.end()
    }
  })

  test('after an interruption stays closed, continues where it stopped, and opens for those who could connect', async () => {
    const restored = await RestoredInstallation.of(installation)
    const login = `its_test_${randomBytes(4).toString('hex')}`
    const url = new URL(restored.installation.config.databaseUrl)
    url.username = login
    url.password = 'secret'
    const canConnect = () =>
      connect(url.href).then(
        async (client) => {
          await client.end()
          return 'yes'
        },
        ({ code }: { code: string }) => code,
      )
    try {
      await restored.installation.owner(async (client) => {
        await client.query(`create role ${login} login password 'secret'`)
        // A signer makes the command call the node, which does not respond.
        await client.query(
          `insert into cell.chain_signer (tenant_id, chain, address, key_backend, key_data, desk_address, admin_address)
           values ($1, 'anvil', $2, 'sealed', '', $2, $2)`,
          [tenant.id, `0x${'1'.repeat(40)}`],
        )
      })
      assert.equal(await canConnect(), 'yes')
      const granted = await grants(restored.installation)
      const interrupted = await restored.afterRestore([], broken)
      assert.equal(interrupted.code, 1, interrupted.output)
      assert.equal(await canConnect(), '42501', 'only the owner can connect')
      const raised = await headOf(restored.installation)
      assert.equal(raised, (await headOf(installation)) + 1_000_000_000)

      const other = await restored.afterRestore(['--to', '2026-01-01T00:00:00Z'], broken)
      assert.match(other.output, /An unfinished run was started with --to/)
      await restored.installation.rows('delete from cell.chain_signer')
      const finished = await restored.afterRestore()
      assert.equal(finished.code, 0, finished.output)
      assert.equal(await headOf(restored.installation), raised, 'the numbers were raised once')
      assert.equal(await canConnect(), 'yes')
      if (granted !== null) assert.equal(await grants(restored.installation), granted)
    } finally {
      await restored.installation.rows(`drop role if exists ${login}`)
      await restored.end()
    }
  })

  test('rejects tokens, sessions and secrets from before; revocations that the operator lists stay', async () => {
    const operator = await installation.createOperator(tenant.id)
    const [lost, rotated] = [await installation.issueCredential(tenant.id), credential]
    const restored = await RestoredInstallation.of(installation)
    try {
      const missing = await restored.maintain(['after-restore', '--cell', 'main', '--to', restored.to])
      assert.match(missing.output, /give --revoked a file with the ids/)
      const unknown = '019f2245-6100-7000-8000-000000000000'
      const file = restored.file('revoked', ['# disabled at noon', lost.clientId.toUpperCase(), unknown, ''])
      const { code, output, report } = await restored.afterRestore(['--revoked', file])
      assert.equal(code, 0, output)
      const lines = report['tokens and sessions'] ?? []
      assert.ok(lines.includes(`credential ${lost.clientId}: revoked again`), lines.join('\n'))
      assert.ok(lines.includes(`${unknown} does not exist here: it was created after the moment`))

      const restoredApi = await restored.installation.startApi()
      const operatorApi = await restored.installation.startOperatorApi()
      const events = (token: string) => restoredApi.call('GET', '/events', { token })
      assert.equal((await events(tenant.token)).status, 401, 'a token that was valid at the moment')
      assert.equal((await restoredApi.auth(lost)).status, 401)
      const fresh = await restoredApi.token(rotated)
      assert.equal((await events(fresh)).status, 200)
      const { status } = await operatorApi.call('GET', '/orders', { token: operator.token })
      assert.equal(status, 401, 'a personal token')
    } finally {
      await restored.end()
    }
  })

  test('a reader in the gap, with any scope and any filter, notices the restore; a new reader does not', async () => {
    const restored = await RestoredInstallation.of(installation)
    try {
      const kept = await headOf(installation)
      const { code, output } = await restored.afterRestore()
      assert.equal(code, 0, output)
      const restoredApi = await restored.installation.startApi()
      const token = await restoredApi.token(credential, ['wallet.read'])
      const list = async (query: string) => (await restoredApi.call('GET', `/events?${query}`, { token })).body
      const sequence = kept + 1_000_000_000
      const expected = { restored_to: new Date(restored.to).toISOString(), kept_sequence: kept, sequence }
      // This reader has read 40 events that no longer exist.
      const inGap = await list(`after=${kept + 40}`)
      assert.deepEqual(inGap.restored, expected)
      assert.equal(inGap.last_sequence, sequence)
      assert.deepEqual(
        inGap.events.map((event: Record<string, unknown>) => [event['type'], event['sequence'], event['data']]),
        [['events.restored', sequence, { restored_to: expected.restored_to, kept_sequence: kept }]],
      )
      assert.deepEqual((await list(`after=${kept + 40}&type=order.paid`)).restored, expected, 'with a filter')
      assert.deepEqual((await list('after=1')).restored, expected)
      assert.equal((await list('')).restored, null, 'a new reader')
      assert.equal((await list(`after=${sequence}`)).restored, null, 'after it')
    } finally {
      await restored.end()
    }
  })

  test('the audit log names both ends, and stays intact', async () => {
    const restored = await RestoredInstallation.of(installation)
    try {
      const lost = { sequence: 4_711, hash: 'ab'.repeat(32) }
      const heads = restored.file('heads', [
        JSON.stringify({ msg: 'audit head', tenant_id: tenant.id, audit_sequence: '12', audit_hash: '0'.repeat(64) }),
        'not JSON',
        JSON.stringify({ database: 'main', heads: [{ tenant_id: tenant.id, ...lost }] }),
      ])
      const { code, output, report } = await restored.afterRestore(['--audit-heads', heads])
      assert.equal(code, 0, output)
      assert.match((report['audit log'] ?? []).join('\n'), /the log ends before the published entry 4711/)
      const rows = await restored.installation.rows(
        `select before, after from base.audit_log where tenant_id = $1 and action = 'tenant.restored'`,
        [tenant.id],
      )
      assert.equal(rows.length, 1)
      assert.deepEqual(rows[0].before, { head: lost })
      assert.equal(rows[0].after.restored_to, restored.to)
      const verified = await restored.maintain(['verify-audit', '--tenant', tenant.id])
      assert.match(verified.output, /Both chains are intact/)
    } finally {
      await restored.end()
    }
  })
})
