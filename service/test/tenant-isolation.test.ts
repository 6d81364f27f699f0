import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { identityIdOf } from '../src/access/sessions/identity.ts'
import { policies } from '../src/platform/api/declare/approval.ts'
import { camt053, importDirectly } from './harness/camt053.ts'
import { ChainRows } from './harness/chain-rows.ts'
import { Fixtures } from './harness/fixtures.ts'
import { createUnassignedPayment } from './harness/incoming-payment.ts'
import { createProvider } from './harness/payment-provider.ts'
import { type RunningApi, TestInstallation } from './harness/service.ts'
import { until } from './harness/wait.ts'
import { WebhookRows } from './harness/webhook-rows.ts'
import { createWorld } from './harness/world.ts'

interface TenantTable {
  name: string
  /** The column that identifies the tenant of a row. */
  owner: 'tenant_id' | 'id'
  columns: string[]
}

/** Tables without rows of tenants, and why. */
const tablesWithoutTenant = [
  'base.migration', // applied migrations
  'directory.migration',
  'cell.migration',
  'directory.cache_invalidation', // ids only
  'directory.operator_identity', // persons, who may run several tenants; tested below
  'directory.passkey',
  'cell.identity', // the name of the cell
  'cell.chain_cursor', // public data of a chain: block numbers, hashes and addresses
  'cell.chain_block',
  'cell.indexed_token',
]

describe('tenant isolation', () => {
  let installation: TestInstallation
  let api: RunningApi
  let asApplication: pg.Client
  let tables: TenantTable[]
  let tenantA: string
  let tenantB: string

  before(async () => {
    installation = await TestInstallation.create()
    api = await installation.startApi()
    const populated = [await populatedTenant('A'), await populatedTenant('B')] as const
    ;[tenantA, tenantB] = [populated[0].tenantId, populated[1].tenantId]
    // Numbers the events so far. Those of the cancellation below, and of its refund, stay in the outbox.
    await installation.numberEvents()
    for (const { tenantId, orderId } of populated) {
      await new Fixtures(installation).bringTo(tenantId, orderId, 'CANCELLED')
      await (await installation.operatorApi()).call(tenantId, 'POST', '/payouts', {})
    }
    await until('requests are in the request log', async () => {
      const { rowCount } = await installation.owner((client) =>
        client.query('select from cell.request_log group by tenant_id'),
      )
      return rowCount === populated.length
    })
    tables = await tenantTables()
    asApplication = new pg.Client({
      connectionString: installation.config.databaseUrl,
      options: '-c role=investor_token_app',
    })
    await asApplication.connect()
  })
  after(async () => {
    await asApplication.end()
    await installation.end()
  })

  /** A tenant with a row in every table. The first test fails if a new table is missing here. */
  async function populatedTenant(name: string): Promise<{ tenantId: string; orderId: string }> {
    const world = await createWorld(installation, api, name)
    const { tenantId, orderId } = world
    const { token, userId } = await installation.createOperator(tenantId)
    await propose(token)
    await invitation(tenantId, userId)
    const credential = await installation.issueCredential(tenantId)
    await api.auth({ ...credential, clientSecret: 'wrong' })
    await new Fixtures(installation).pay(tenantId, orderId)
    await createUnassignedPayment(installation, tenantId)
    await importDirectly(installation, tenantId, camt053({ entries: [{ amount: '1.00' }] }))
    const chain = new ChainRows(installation, tenantId)
    await chain.holder(world)
    await chain.action()
    await api.call('POST', `/simulations/accounts/${world.accountId}/wallets`, { token: world.token, body: {} })
    await new WebhookRows(installation, tenantId).createDelivery()
    await createProvider(installation, tenantId)
    return { tenantId, orderId }
  }

  /** A change that waits for a second person. */
  async function propose(token: string): Promise<void> {
    const operators = await installation.operatorApi()
    await operators.callWith(token, 'POST', '/duty-pairs', { forbidden: [] })
  }

  async function invitation(tenantId: string, userId: string): Promise<string> {
    const id = crypto.randomUUID()
    await installation.owner((client) =>
      client.query(
        `insert into directory.invitation (tenant_id, id, user_id, kind, pepper_id, mac, expires_at)
         values ($1, $2, $3, 'invitation', 'a', sha256('x'), now() + interval '3 days')`,
        [tenantId, id, userId],
      ),
    )
    return id
  }

  async function tenantTables(): Promise<TenantTable[]> {
    const { rows } = await installation.owner((client) =>
      client.query<{ name: string; columns: string[] }>(`
        select format('%I.%I', nspname, relname) as name,
               (select array_agg(attname::text order by attnum) from pg_attribute
                where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
                and attidentity = '') as columns
        from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where nspname in ('base', 'directory', 'cell') and relkind in ('r', 'p') and not relispartition
        order by 1`),
    )
    return rows
      .filter(({ name }) => !tablesWithoutTenant.includes(name))
      .map(({ name, columns }) => ({ name, columns, owner: columns.includes('tenant_id') ? 'tenant_id' : 'id' }))
  }

  /** Runs work with the application role in a transaction of this tenant, or of no tenant, and rolls it back. */
  async function asTenant<Result>(tenantId: string | undefined, work: () => Promise<Result>): Promise<Result> {
    await asApplication.query('begin')
    try {
      if (tenantId) await asApplication.query(`select set_config('app.tenant_id', $1, true)`, [tenantId])
      return await work()
    } finally {
      await asApplication.query('rollback')
    }
  }

  test('every tenant table has rows of A and of B, so that no test below passes on an empty table', async () => {
    for (const { name, owner } of tables)
      for (const tenantId of [tenantA, tenantB]) {
        const { rowCount } = await installation.owner((client) =>
          client.query(`select from ${name} where ${owner} = $1`, [tenantId]),
        )
        assert.ok((rowCount ?? 0) > 0, `${name} has no row of ${tenantId === tenantA ? 'A' : 'B'}`)
      }
  })

  test('every tenant table has tenant_id first in its primary key, and forced row-level security', async () => {
    for (const { name, owner } of tables) {
      const { rows } = await installation.owner((client) =>
        client.query<{ enabled: boolean; forced: boolean; first_key_column: string; policies: number }>(
          `select relrowsecurity as enabled, relforcerowsecurity as forced,
                  (select attname from pg_attribute
                   where attrelid = pg_class.oid and attnum = indkey[0]) as first_key_column,
                  (select count(*)::int from pg_policy where polrelid = pg_class.oid and polroles = '{0}') as policies
           from pg_class join pg_index on indrelid = pg_class.oid and indisprimary where pg_class.oid = $1::regclass`,
          [name],
        ),
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
      await asTenant(tenantA, async () => {
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

  test('in a transaction without a tenant, no rows are visible', async () => {
    for (const { name } of tables)
      await asTenant(undefined, async () =>
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
        await asTenant(tenantA, async () => {
          const outcome = await asApplication.query(write).then(
            ({ rowCount }) => rowCount,
            ({ code }: { code: string }) => code,
          )
          // No rows found, insufficient privilege or a policy violation, or a foreign key violation.
          assert.ok(outcome === 0 || outcome === '42501' || outcome === '23503', `${write}: ${outcome}`)
        })
  })

  test('a client id alone exposes that one credential and its tenant, and nothing else of the tenant', async () => {
    const { clientId } = await installation.issueCredential(tenantA)
    const visible: Record<string, number | null> = {}
    await asTenant(undefined, async () => {
      await asApplication.query(`select set_config('app.client_id', $1, true)`, [clientId])
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

  for (const [what, setting, table] of [
    ['a token id alone exposes that one personal token', 'app.token_id', 'directory.personal_token'],
    ['a session id alone exposes that one session', 'app.session_id', 'directory.operator_session'],
    ['the id of an invitation alone exposes that one invitation', 'app.invitation_id', 'directory.invitation'],
  ] as const)
    test(`${what}, its user with their duties, and the tenant with its policies`, async () => {
      const { userId, tokenId, sessionId } = await installation.createOperator(tenantA, { duties: ['read', 'money'] })
      const ids = {
        'app.token_id': tokenId,
        'app.session_id': sessionId,
        'app.invitation_id': await invitation(tenantA, userId),
      }
      assert.deepEqual(await visibleWith(setting, ids[setting]), {
        [table]: 1,
        'directory.approval_policy': policies.length,
        'directory.operator_duty': 2,
        'directory.operator_identity': 1,
        'directory.operator_user': 1,
        'directory.tenant': 1,
      })
    })

  test('a person sees themself, their passkeys and the users that they are, and no other person', async () => {
    const person = { issuer: 'https://id.example.com', subject: 'one person' }
    const users = [
      await installation.createOperator(tenantA, { person }),
      await installation.createOperator(tenantB, { person }),
    ]
    const other = { issuer: 'https://id.example.com', subject: 'another person' }
    await installation.createOperator(tenantA, { person: other })
    for (const key of [person, other])
      await installation.owner((client) =>
        client.query(
          `insert into directory.passkey (identity_id, id, public_key, sign_count, name)
           values ($1, sha256('id'), sha256('key'), 0, 'Laptop')`,
          [identityIdOf(key)],
        ),
      )
    assert.deepEqual(await visibleWith('app.identity_id', identityIdOf(person)), {
      'directory.operator_identity': 1,
      'directory.operator_user': users.length,
      'directory.passkey': 1,
    })
  })

  test('in a transaction of A, only the persons who are users of A are visible, and no passkeys', async () => {
    await installation.createOperator(tenantB)
    await asTenant(tenantA, async () => {
      const visible = await asApplication.query(`
        select from directory.operator_identity
        where id not in (select identity_id from directory.operator_user where identity_id is not null)`)
      assert.equal(visible.rowCount, 0)
      assert.ok((await asApplication.query('select from directory.operator_identity')).rowCount)
      assert.equal((await asApplication.query('select from directory.passkey')).rowCount, 0)
    })
  })

  /** The number of rows that a transaction without a tenant and with this setting sees, where it sees any. */
  async function visibleWith(setting: string, id: string): Promise<Record<string, number | null>> {
    const visible: Record<string, number | null> = {}
    await asTenant(undefined, async () => {
      await asApplication.query('select set_config($1, $2, true)', [setting, id])
      for (const name of [...tables.map((table) => table.name), 'directory.operator_identity', 'directory.passkey'])
        visible[name] = (await asApplication.query(`select from ${name}`)).rowCount
    })
    return Object.fromEntries(Object.entries(visible).filter(([, count]) => count))
  }

  test('a provider id alone exposes that one row of the directory, and nothing else of the tenant', async () => {
    const { id } = await createProvider(installation, tenantA)
    const visible: Record<string, number | null> = {}
    await asTenant(undefined, async () => {
      await asApplication.query(`select set_config('app.provider_id', $1, true)`, [id])
      for (const { name } of tables) visible[name] = (await asApplication.query(`select from ${name}`)).rowCount
    })
    assert.deepEqual(Object.fromEntries(Object.entries(visible).filter(([, count]) => count)), {
      'directory.payment_provider': 1,
    })
  })

  test('the worker role reads only ids, states, times, chain data and the event outbox of all tenants', async () => {
    const { rows } = await installation.owner((client) =>
      client.query<{ name: string; columns: string[] }>(`
        select format('%s.%s', table_schema, table_name) as name, array_agg(column_name::text order by 1) as columns
        from information_schema.column_privileges
        where grantee = 'investor_token_worker' and privilege_type = 'SELECT' and table_schema in ('directory', 'cell')
        group by table_schema, table_name order by 1`),
    )
    const events = ['client_id', 'created_at', 'data', 'id', 'insertion', 'scope', 'tenant_id', 'type', 'version']
    assert.deepEqual(Object.fromEntries(rows.map(({ name, columns }) => [name, columns.toSorted()])), {
      'cell.chain_block': ['chain', 'hash', 'number', 'parent_hash'],
      'cell.chain_cursor': ['backfill_count', 'chain', 'changed_at', 'finalized_number', 'head_hash', 'head_number'],
      'cell.chain_op': ['chain', 'id', 'next_check_at', 'state', 'tenant_id'],
      'cell.chain_signer': ['chain', 'desk_address', 'tenant_id'],
      'cell.event_head': ['last_sequence', 'tenant_id'],
      'cell.event_outbox': events,
      'cell.identity': ['name', 'singleton'],
      'cell.indexed_token': ['backfilled_to', 'chain', 'desk_address', 'is_backfilled', 'token_address'],
      'cell.offering': [
        'attached_token_address',
        'blockchain',
        'id',
        'minting_stopped',
        'status',
        'tenant_id',
        'token_address',
        'token_deployed_at',
        'token_rejection',
      ],
      'cell.tenant': ['id'],
      'cell.token_log': ['applied_at', 'block_hash', 'block_number', 'chain', 'tenant_id'],
      'cell.token_order': ['id', 'mint_hold_reason', 'offering_id', 'payment_due_at', 'status', 'tenant_id'],
      'cell.wallet': ['challenge_expires_at', 'id', 'status', 'tenant_id'],
      'cell.webhook_cursor': ['sequence', 'tenant_id'],
      'cell.webhook_endpoint': ['has_job', 'id', 'job_due_at', 'resend_done', 'resend_until', 'tenant_id'],
    })
  })

  test('without row-level security the rows are visible, so the tests above verify the policies', async () => {
    for (const { name, owner } of tables) {
      await installation.owner((client) =>
        client.query(`alter table ${name} no force row level security, disable row level security`),
      )
      await asTenant(tenantA, async () => {
        const { rowCount } = await asApplication.query(`select from ${name} where ${owner} = $1`, [tenantB])
        assert.ok((rowCount ?? 0) > 0, `${name}: rows of B are still hidden`)
      })
      await installation.owner((client) =>
        client.query(`alter table ${name} enable row level security, force row level security`),
      )
      await asTenant(tenantA, async () => {
        const { rowCount } = await asApplication.query(`select from ${name} where ${owner} = $1`, [tenantB])
        assert.equal(rowCount, 0, `${name}: rows of B are hidden again`)
      })
    }
  })

  test('both roles are unprivileged, and the application role cannot read the job queue', async () => {
    const { rows } = await installation.owner((client) =>
      client.query(`
        select rolname, rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolcanlogin as privileged,
               (select count(*)::int from pg_class where relowner = pg_roles.oid) as owned
        from pg_roles where rolname in ('investor_token_app', 'investor_token_worker') order by 1`),
    )
    assert.deepEqual(rows, [
      { rolname: 'investor_token_app', privileged: false, owned: 0 },
      { rolname: 'investor_token_worker', privileged: false, owned: 0 },
    ])
    await asTenant(tenantA, () =>
      assert.rejects(asApplication.query('select from graphile_worker._private_jobs'), { code: '42501' }),
    )
  })

  test('a job can be enqueued only for the tenant of the transaction', async () => {
    const enqueue = (tenantId: string) =>
      asApplication.query(`select base.enqueue_job('x', $1::json)`, [JSON.stringify({ tenant_id: tenantId })])
    await asTenant(tenantA, () => enqueue(tenantA))
    await asTenant(tenantA, () => assert.rejects(enqueue(tenantB), { code: '42501' }))
    await asTenant(undefined, () => assert.rejects(enqueue(tenantB), { code: '42501' }))
  })

  test('every foreign key between tenant tables includes the tenant', async () => {
    const { rows } = await installation.owner((client) =>
      client.query<{ name: string; columns: string[] }>(`
        select conrelid::regclass || ' -> ' || confrelid::regclass as name,
               (select array_agg(attname::text) from pg_attribute
                where attrelid = conrelid and attnum = any (conkey)) as columns
        from pg_constraint
        -- Persons belong to no tenant.
        where confrelid <> 'directory.operator_identity'::regclass and contype = 'f' and connamespace in ('directory'::regnamespace, 'cell'::regnamespace)`),
    )
    assert.ok(rows.length > 0)
    for (const { name, columns } of rows) assert.ok(columns.includes('tenant_id'), name)
  })

  test('every view runs with the privileges of its caller', async () => {
    const { rows } = await installation.owner((client) =>
      client.query(`
        select relname from pg_class
        where relkind = 'v' and relnamespace in ('directory'::regnamespace, 'cell'::regnamespace)
          and coalesce(array_to_string(reloptions, ','), '') not like '%security_invoker=true%'`),
    )
    assert.deepEqual(rows, [])
  })
})
