import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { identityIdOf } from '../src/access/sessions/identity.ts'
import { createInvitation, PopulatedTenants } from './harness/every-operation/populated-tenants.ts'
import { createProvider } from './harness/servers/payment-provider.ts'

describe('tenant isolation', async () => {
  const tenants = await PopulatedTenants.create()
  after(() => tenants.end())
  const { installation, asApplication, tables, a: tenantA, b: tenantB } = tenants

  test('every tenant table has rows of A and of B, so that no test below passes on an empty table', async () => {
    for (const { name, owner } of tables)
      for (const tenantId of [tenantA, tenantB]) {
        const { length } = await installation.rows(`select from ${name} where ${owner} = $1`, [tenantId])
        assert.ok(length > 0, `${name} has no row of ${tenantId === tenantA ? 'A' : 'B'}`)
      }
  })

  test('every tenant table has tenant_id first in its primary key, and forced row-level security', async () => {
    for (const { name, owner } of tables) {
      const rows = await installation.rows<{
        enabled: boolean
        forced: boolean
        first_key_column: string
        policies: number
      }>(
        `select relrowsecurity as enabled, relforcerowsecurity as forced,
                  (select attname from pg_attribute
                   where attrelid = pg_class.oid and attnum = indkey[0]) as first_key_column,
                  (select count(*)::int from pg_policy where polrelid = pg_class.oid and polroles = '{0}') as policies
           from pg_class join pg_index on indrelid = pg_class.oid and indisprimary where pg_class.oid = $1::regclass`,
        [name],
      )
      assert.deepEqual(rows, [{ enabled: true, forced: true, first_key_column: owner, policies: 1 }], name)
    }
  })

  test('R194: in a transaction of A, no query returns a row of B', async () => {
    for (const { name, owner, columns } of tables) {
      const queries = [
        `select from ${name} where ${owner} = $1`,
        `select from ${name} where ${owner}::text = $1::text`,
        `select from ${name} where ${columns.map((column) => `${column}::text = $1::text`).join(' or ')}`,
        `select from ${name} theirs where theirs.${owner} = $1 and (true or ${owner} is null)`,
        `with everything as materialized (select * from ${name}) select from everything where ${owner} = $1`,
        `select from ${name} mine full join ${name} theirs on true where theirs.${owner} = $1`,
        `select from (select max(${owner}::text) filter (where ${owner} = $1) as found from ${name}) aggregated
         where found is not null`,
      ]
      await tenants.asTenant(tenantA, async () => {
        for (const query of queries) {
          const { rowCount } = await asApplication.query(query, [tenantB])
          assert.equal(rowCount, 0, query)
        }
        const visible = await asApplication.query(`select from ${name}`)
        const ofTenantA = await asApplication.query(`select from ${name} where ${owner} = $1`, [tenantA])
        assert.equal(visible.rowCount, ofTenantA.rowCount, `${name}: all visible rows belong to A`)
        assert.ok((visible.rowCount ?? 0) > 0, `${name}: A sees its own rows`)
      })
    }
  })

  test('a worker sees the rows of tenants that are in its cell, and none of a tenant that has left', async () => {
    await installation.owner(async (client) => {
      const { rows: visible } = await client.query<{ name: string; owner: string }>(
        `select polrelid::regclass::text as name,
                case polrelid when 'cell.tenant'::regclass then 'id' else 'tenant_id' end as owner
         from pg_policy where polname = 'for_worker' and polrelid::regclass::text ~ '^cell[.]'
           and polrelid <> 'cell.residence'::regclass
           and has_any_column_privilege('investor_token_worker', polrelid, 'select')`,
      )
      assert.ok(visible.length > 15)
      const count = async (query: string, values: string[] = []) =>
        Number((await client.query(`select count(*) ${query}`, values)).rows[0].count)
      await client.query('begin')
      await client.query(`update cell.residence set state = 'left' where tenant_id = $1`, [tenantA])
      for (const { name, owner } of visible) {
        const ofOthers = await count(`from ${name} where ${owner} <> $1`, [tenantA])
        await client.query('set local role investor_token_worker')
        assert.equal(await count(`from ${name}`), ofOthers, name)
        await client.query('reset role')
      }
      await client.query('rollback')
    })
  })

  test('in a transaction without a tenant, no rows are visible', async () => {
    for (const { name } of tables)
      await tenants.asTenant(undefined, async () =>
        assert.equal((await asApplication.query(`select from ${name}`)).rowCount, 0, name),
      )
  })

  test('in a transaction of A, no write changes, deletes or creates a row of B', async () => {
    for (const { name, owner, columns } of tables)
      for (const write of [
        `update ${name} set ${columns.at(-1)} = ${columns.at(-1)} where ${owner} = '${tenantB}'`,
        `delete from ${name} where ${owner} = '${tenantB}'`,
        `update ${name} set ${owner} = '${tenantB}'`,
        `insert into ${name} (${columns.join()}) select ${columns.map((column) => `(copy).${column}`).join()}
         from (select jsonb_populate_record(row, '{"${owner}": "${tenantB}"}') as copy from ${name} row) copied`,
      ])
        await tenants.asTenant(tenantA, async () => {
          const outcome = await asApplication.query(write).then(
            ({ rowCount }) => rowCount,
            ({ code }: { code: string }) => code,
          )
          // Finds no rows, or fails with insufficient privilege (also a policy violation) or a foreign key violation.
          assert.ok(outcome === 0 || outcome === '42501' || outcome === '23503', `${write}: ${outcome}`)
        })
  })

  test('a client id alone exposes only that credential and its tenant', async () => {
    const { clientId } = await installation.issueCredential(tenantA)
    const visible: Record<string, number | null> = {}
    await tenants.asTenant(undefined, async () => {
      await asApplication.query('select directory.present_credential($1)', [clientId])
      for (const { name } of tables) visible[name] = (await asApplication.query(`select from ${name}`)).rowCount
      for (const table of ['credential', 'credential_secret', 'tenant'])
        await assert
          .rejects(
            asApplication.query(`savepoint s; update directory.${table} set created_at = now()`),
            { code: '42501' },
            table,
          )
          .then(() => asApplication.query('rollback to s'))
    })
    assert.deepEqual(Object.fromEntries(Object.entries(visible).filter(([, count]) => count)), {
      'directory.credential': 1,
      'directory.credential_secret': 1,
      'directory.tenant': 1,
    })
  })

  for (const [what, present, table] of [
    ['a token id alone exposes that one personal token', 'directory.find_token($1)', 'directory.personal_token'],
    ['a session id alone exposes that one session', 'directory.find_session($1)', 'directory.operator_session'],
  ] as const)
    test(`${what} and nothing else`, async () => {
      const { tokenId, sessionId } = await installation.createOperator(tenantA, { duties: ['read', 'money'] })
      const id = present === 'directory.find_token($1)' ? tokenId : sessionId
      assert.deepEqual(await tenants.visibleWith(present, crypto.randomUUID()), {}, 'an id that does not exist')
      assert.deepEqual(await tenants.visibleWith(present, id), { [table]: 1 })
    })

  test('the id of an invitation alone exposes only that invitation, its user and the tenant', async () => {
    const { userId } = await installation.createOperator(tenantA, { duties: ['read', 'money'] })
    const id = await createInvitation(installation, tenantA, userId)
    const present = 'directory.present_invitation($1)'
    assert.deepEqual(await tenants.visibleWith(present, crypto.randomUUID()), {}, 'an id that does not exist')
    assert.deepEqual(await tenants.visibleWith(present, id), {
      'directory.invitation': 1,
      'directory.operator_identity': 1,
      'directory.operator_user': 1,
      'directory.tenant': 1,
    })
  })

  test('a person sees themselves, their passkeys, users and tenants, and no other person', async () => {
    const person = { issuer: 'https://id.example.com', subject: 'one person' }
    const users = [
      await installation.createOperator(tenantA, { person }),
      await installation.createOperator(tenantB, { person }),
    ]
    const other = { issuer: 'https://id.example.com', subject: 'another person' }
    await installation.createOperator(tenantA, { person: other })
    for (const key of [person, other])
      await installation.rows(
        `insert into directory.passkey (identity_id, id, public_key, sign_count, name)
           values ($1, sha256('id'), sha256('key'), 0, 'Laptop')`,
        [identityIdOf(key)],
      )
    assert.deepEqual(await tenants.visibleWith(`set_config('app.identity_id', $1, true)`, identityIdOf(person)), {
      'directory.operator_identity': 1,
      'directory.operator_user': users.length,
      'directory.passkey': 1,
      'directory.tenant': 2,
    })
  })

  test('in a transaction of A, persons are visible only if they are users of A, and passkeys never', async () => {
    await installation.createOperator(tenantB)
    await tenants.asTenant(tenantA, async () => {
      const visible = await asApplication.query(`
        select from directory.operator_identity
        where id not in (select identity_id from directory.operator_user where identity_id is not null)`)
      assert.equal(visible.rowCount, 0)
      assert.ok((await asApplication.query('select from directory.operator_identity')).rowCount)
      assert.equal((await asApplication.query('select from directory.passkey')).rowCount, 0)
    })
  })

  test('a provider id alone exposes only that row of the directory', async () => {
    const { id } = await createProvider(installation, tenantA)
    const visible: Record<string, number | null> = {}
    await tenants.asTenant(undefined, async () => {
      await asApplication.query(`select set_config('app.provider_id', $1, true)`, [id])
      for (const { name } of tables) visible[name] = (await asApplication.query(`select from ${name}`)).rowCount
    })
    assert.deepEqual(Object.fromEntries(Object.entries(visible).filter(([, count]) => count)), {
      'directory.payment_provider': 1,
    })
  })

  test('without row-level security the rows are visible, so the tests above verify the policies', async () => {
    for (const { name, owner } of tables) {
      await installation.rows(`alter table ${name} no force row level security, disable row level security`)
      await tenants.asTenant(tenantA, async () => {
        const { rowCount } = await asApplication.query(`select from ${name} where ${owner} = $1`, [tenantB])
        assert.ok((rowCount ?? 0) > 0, `${name}: rows of B are still hidden`)
      })
      await installation.rows(`alter table ${name} enable row level security, force row level security`)
      await tenants.asTenant(tenantA, async () => {
        const { rowCount } = await asApplication.query(`select from ${name} where ${owner} = $1`, [tenantB])
        assert.equal(rowCount, 0, `${name}: rows of B are hidden again`)
      })
    }
  })
})
