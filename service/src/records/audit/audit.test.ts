import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { randomManipulation } from '../../../test/harness/fuzz/audit-manipulation.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { newSeed, seededRandom } from '../../../test/harness/seeded-random.ts'
import { actorTypes } from '../../platform/api/declare/audit.ts'
import { inDirectoryTransaction } from '../../platform/postgres/cells/tenant-transaction.ts'
import { sql } from '../../platform/postgres/sql.ts'
import { findAuditProblem } from './audit.sql.ts'
import { type AuditConditions, auditMatching } from './audit-filter.sql.ts'
import { AuditTrail } from './audit-trail.ts'

const rowsOfChain = 24
const manipulationCount = 1_000

describe('the audit log', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const [tenantId, otherId] = [await installation.createTenant('A'), await installation.createTenant('B')]
  for (let count = 0; count < rowsOfChain; count++) await append(tenantId, count)

  /** Appends an entry as a request does. The count varies the actor type and the presence of `before` and `after`. */
  async function append(tenant: string, count: number): Promise<void> {
    const type = actorTypes[count % actorTypes.length] ?? 'system'
    const hasActor = type === 'user' || type === 'credential'
    const trail = new AuditTrail({
      type,
      id: hasActor ? crypto.randomUUID() : null,
      requestId: hasActor ? crypto.randomUUID() : null,
    })
    trail.add({
      action: 'offering.changed',
      subject: { type: 'offering', id: crypto.randomUUID() },
      ...(count % 3 === 0 ? {} : { before: { status: 'DRAFT', count } }),
      ...(count % 5 === 0 ? {} : { after: { status: 'OPEN', names: ['ä', '"', null], count } }),
    })
    await inDirectoryTransaction(installation.databases, { tenantId: tenant, access: 'write' }, (tx) => trail.write(tx))
  }

  const chain = () => ({ tenantId, otherId, rowCount: rowsOfChain })

  /** Verifies the chain with the role of the service. */
  const findProblem = (tenant = tenantId) =>
    inDirectoryTransaction(installation.databases, { tenantId: tenant, access: 'read' }, findAuditProblem)

  test('an unmodified chain is intact, and so is an empty one', async () => {
    assert.equal(await findProblem(), undefined)
    assert.equal(await findProblem(otherId), undefined)
  })

  const seed = newSeed()
  test(`each of ${manipulationCount} manipulations by the owner of the tables is detected (seed ${seed})`, async () => {
    const random = seededRandom(seed)
    const kinds = new Map<string, number>()
    await installation.owner(async (client) => {
      await client.query('begin')
      await client.query(`select set_config('app.tenant_id', $1, true)`, [tenantId])
      const broken = async () => (await client.query('select * from base.verify_audit_chain()')).rows[0]
      for (let count = 0; count < manipulationCount; count++) {
        const { kind, statements } = randomManipulation(random, chain())
        await client.query('savepoint untouched')
        let changed = 0
        for (const { text, values } of statements) changed += (await client.query(text, values)).rowCount ?? 0
        assert.ok(changed > 0, `${kind}: ${JSON.stringify(statements)} changed nothing`)
        const found = await broken()
        assert.ok(found, `not detected: ${kind}: ${JSON.stringify(statements)}`)
        await client.query('rollback to savepoint untouched')
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
        if (count % 100 === 0) assert.equal(await broken(), undefined, 'the chain is intact after the rollback')
      }
      assert.equal(await broken(), undefined)
      await client.query('rollback')
    })
    // A thousand repetitions of the same manipulation would prove little.
    assert.ok(kinds.size >= 20, [...kinds].join(' '))
  })

  test('verifying a chain in parts of any size finds the same problems as verifying it as a whole', async () => {
    const random = seededRandom(seed)
    await installation.owner(async (client) => {
      await client.query('begin')
      await client.query(`select set_config('app.tenant_id', $1, true)`, [tenantId])
      const inParts = async (many: number) => {
        for (let after_ = 0n; ; ) {
          const { rows } = await client.query('select * from base.verify_audit_part($1, $2)', [after_, many])
          const [part] = rows
          if (part.problem) return part.sequence
          if (part.row_count < many) return undefined
          after_ = BigInt(part.verified_to)
        }
      }
      for (let count = 0; count < 100; count++) {
        await client.query('savepoint untouched')
        for (const { text, values } of randomManipulation(random, chain()).statements) await client.query(text, values)
        const { rows: whole } = await client.query('select * from base.verify_audit_chain()')
        // A part does not cover the recorded end; verifyAudit compares that.
        const isInRows = !/recorded end|rows are missing$|last rows/.test(whole[0].problem)
        const found = await inParts(1 + Math.floor(random() * rowsOfChain * 1.5))
        if (isInRows) assert.equal(found, whole[0].sequence, JSON.stringify(whole))
        await client.query('rollback to savepoint untouched')
      }
      assert.equal(await inParts(7), undefined)
      await client.query('rollback')
    })
  })

  test('the operation names the head, and finds a log that was changed, cut off or rewritten as a whole', async () => {
    const tenant = await installation.createTenant('D')
    for (let count = 0; count < 5; count++) await append(tenant, count)
    const api = await installation.startOperatorApi()
    const { token } = await installation.createOperator(tenant)
    const verify = async (body: object = {}) => (await api.call('POST', '/audit/verify', { token, body })).body
    const intact = await verify()
    assert.deepEqual([intact.verified_to, intact.is_complete, intact.problem], [5, true, null])
    assert.deepEqual((await verify({ after_sequence: 3, expected_head: intact.head })).problem, null)
    const asOwner = (text: string) => installation.rows(text, [tenant])
    await asOwner(`update base.audit_log set action = 'x.y' where tenant_id = $1 and sequence = 2`)
    assert.deepEqual([(await verify()).problem.sequence, (await verify()).verified_to], [2, 1])
    assert.equal((await verify({ after_sequence: 3 })).problem, null)
    await asOwner('delete from base.audit_log where tenant_id = $1 and sequence = 5')
    assert.deepEqual((await verify({ after_sequence: 3 })).problem, {
      sequence: 5,
      detail: 'the last rows are missing',
    })
    await asOwner(`
      update base.audit_head set sequence = 4, hash = (select hash from base.audit_log where tenant_id = $1 and sequence = 4)
      where tenant_id = $1`)
    assert.equal((await verify({ after_sequence: 3 })).problem, null, 'nothing in the database shows it')
    assert.equal((await verify({ after_sequence: 3, expected_head: intact.head })).problem.sequence, 5)
    assert.equal((await api.call('POST', '/audit/verify', { token, body: { after_sequence: 99 } })).status, 400)
  })

  test('the filters select by subject, actor, action, request and time', async () => {
    const rows = await installation.rows(
      `select *, date_trunc('milliseconds', at) as moment from base.audit_log where tenant_id = $1 order by sequence`,
      [tenantId],
    )
    const select = async (filter: AuditConditions) => {
      const found = await inDirectoryTransaction(installation.databases, { tenantId, access: 'read' }, (tx) =>
        tx.rows<{ sequence: string }>(
          sql`select sequence from base.audit_log where ${auditMatching(tenantId, filter)} order by sequence`,
        ),
      )
      return found.map(({ sequence }) => sequence)
    }
    const those = (is: (row: (typeof rows)[number]) => boolean) => rows.filter(is).map(({ sequence }) => sequence)
    const one = rows.find(({ actor_id }) => actor_id !== null)
    assert.deepEqual(
      await select({}),
      those(() => true),
    )
    assert.deepEqual(await select({ subject_id: one.subject_id }), [one.sequence])
    assert.deepEqual(await select({ actor_id: one.actor_id }), [one.sequence])
    assert.deepEqual(await select({ request_id: one.request_id }), [one.sequence])
    assert.deepEqual(
      await select({ action: 'offering.changed' }),
      those(() => true),
    )
    assert.deepEqual(await select({ action: 'offering.opened' }), [])
    // These times are exact only to the millisecond, and several rows can share one.
    const [from, to] = [rows[5].moment, rows[9].moment]
    assert.deepEqual(
      await select({ from: from.toISOString(), to: to.toISOString() }),
      those(({ moment }) => moment >= from && moment < to),
    )
    assert.deepEqual(await select({ from: to.toISOString(), to: from.toISOString() }), [])
  })

  test('the application role cannot insert, update, delete or truncate rows and heads', async () => {
    const client = new pg.Client({
      connectionString: installation.config.databaseUrl,
      options: '-c role=investor_token_app',
    })
    await client.connect()
    try {
      for (const table of ['base.audit_log', 'base.audit_head'])
        for (const write of [
          `insert into ${table} select * from ${table}`,
          `update ${table} set sequence = sequence + 1`,
          `delete from ${table}`,
          `truncate ${table}`,
        ]) {
          await client.query('begin')
          await client.query(`select set_config('app.tenant_id', $1, true)`, [tenantId])
          await assert.rejects(client.query(write), { code: '42501' }, write)
          await client.query('rollback')
        }
    } finally {
      await client.end()
    }
    assert.equal(await findProblem(), undefined)
  })

  test('eight connections that append concurrently produce one chain without gaps', async () => {
    const tenant = await installation.createTenant('C')
    const each = 25
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let count = 0; count < each; count++) await append(tenant, count)
      }),
    )
    assert.equal(await findProblem(tenant), undefined)
    const rows = await installation.rows(
      'select count(*)::int, min(sequence)::int, max(sequence)::int from base.audit_log where tenant_id = $1',
      [tenant],
    )
    assert.deepEqual(rows, [{ count: 8 * each, min: 1, max: 8 * each }])
  })
})
