import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { camt053, importDirectly } from './harness/camt053.ts'
import { ChainRows } from './harness/chain-rows.ts'
import { Fixtures } from './harness/fixtures.ts'
import { incomingMoney } from './harness/incoming-money.ts'
import { createProvider } from './harness/payment-provider.ts'
import { type RunningApi, TestInstallation } from './harness/service.ts'
import { until } from './harness/wait.ts'
import { WebhookRows } from './harness/webhook-rows.ts'
import { createWorld } from './harness/world.ts'

interface TenantTable {
  name: string
  /** The column that says whose row it is. */
  owner: 'tenant_id' | 'id'
  columns: string[]
}

/** Which tables hold rows of no tenant, and why that is right. */
const tablesOfNobody = [
  'base.migration', // which migrations have run
  'directory.migration',
  'cell.migration',
  'directory.cache_invalidation', // ids only
  'cell.identity', // the name of the cell
  'cell.chain_cursor', // what everybody can see on a chain: numbers, hashes and addresses
  'cell.chain_block',
  'cell.indexed_token',
]

describe('walls between tenants', () => {
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
    // Events so far get their numbers; those of the cancellation, and of the refund that it opens, wait for theirs.
    await installation.sequenceEvents()
    for (const { tenantId, orderId } of populated) {
      await new Fixtures(installation).bringTo(tenantId, orderId, 'CANCELLED')
      await (await installation.operatorApi()).call(tenantId, 'POST', '/payouts', {})
    }
    await until('requests are in their log', async () => {
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

  /** A tenant with a row in every table there is; the first test below notices a table that is forgotten here. */
  async function populatedTenant(name: string): Promise<{ tenantId: string; orderId: string }> {
    const world = await createWorld(installation, api, name)
    const { tenantId, orderId } = world
    await installation.createOperator(tenantId)
    const credential = await installation.issueCredential(tenantId)
    await api.auth({ ...credential, clientSecret: 'wrong' })
    await new Fixtures(installation).pay(tenantId, orderId)
    await incomingMoney(installation, tenantId)
    await importDirectly(installation, tenantId, camt053({ entries: [{ amount: '1.00' }] }))
    const chain = new ChainRows(installation, tenantId)
    await chain.holder(world)
    await chain.action()
    await api.call('POST', `/simulations/accounts/${world.accountId}/wallets`, { token: world.token, body: {} })
    await new WebhookRows(installation, tenantId).delivered()
    await createProvider(installation, tenantId)
    return { tenantId, orderId }
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
      .filter(({ name }) => !tablesOfNobody.includes(name))
      .map(({ name, columns }) => ({ name, columns, owner: columns.includes('tenant_id') ? 'tenant_id' : 'id' }))
  }

  /** Runs as the application role, in a transaction of this tenant or of none, and undoes whatever it did. */
  async function seenBy<Result>(tenantId: string | undefined, work: () => Promise<Result>): Promise<Result> {
    await asApplication.query('begin')
    try {
      if (tenantId) await asApplication.query(`select set_config('app.tenant_id', $1, true)`, [tenantId])
      return await work()
    } finally {
      await asApplication.query('rollback')
    }
  }

  test('every table of a tenant has rows of A and of B, so nothing below is true of an empty table', async () => {
    for (const { name, owner } of tables)
      for (const tenantId of [tenantA, tenantB]) {
        const { rowCount } = await installation.owner((client) =>
          client.query(`select from ${name} where ${owner} = $1`, [tenantId]),
        )
        assert.ok((rowCount ?? 0) > 0, `${name} has no row of ${tenantId === tenantA ? 'A' : 'B'}`)
      }
  })

  test('every table of a tenant has tenant_id first in its primary key, and row-level security that binds its owner too', async () => {
    for (const { name, owner } of tables) {
      const { rows } = await installation.owner((client) =>
        client.query<{ enabled: boolean; forced: boolean; first_key_column: string; policies: number }>(
          `select relrowsecurity as enabled, relforcerowsecurity as forced,
                  (select attname from pg_attribute where attrelid = pg_class.oid and attnum = indkey[0]) as first_key_column,
                  (select count(*)::int from pg_policy where polrelid = pg_class.oid and polroles = '{0}') as policies
           from pg_class join pg_index on indrelid = pg_class.oid and indisprimary where pg_class.oid = $1::regclass`,
          [name],
        ),
      )
      assert.deepEqual(rows, [{ enabled: true, forced: true, first_key_column: owner, policies: 1 }], name)
    }
  })

  test('R194: in a transaction of A no query finds a row of B', async () => {
    for (const { name, owner, columns } of tables) {
      const questions = [
        `select from ${name} where ${owner} = $1`,
        `select from ${name} where ${owner}::text = $1::text`,
        `select from ${name} where ${columns.map((column) => `${column}::text = $1::text`).join(' or ')}`,
        `select from ${name} theirs where theirs.${owner} = $1 and (true or ${owner} is null)`,
        `with everything as materialized (select * from ${name}) select from everything where ${owner} = $1`,
        `select from ${name} mine full join ${name} theirs on true where theirs.${owner} = $1`,
        `select from (select max(${owner}::text) filter (where ${owner} = $1) as found from ${name}) aggregated where found is not null`,
      ]
      await seenBy(tenantA, async () => {
        for (const question of questions) {
          const { rowCount } = await asApplication.query(question, [tenantB])
          assert.equal(rowCount, 0, question)
        }
        const mine = await asApplication.query(`select from ${name}`)
        const mineByName = await asApplication.query(`select from ${name} where ${owner} = $1`, [tenantA])
        assert.equal(mine.rowCount, mineByName.rowCount, `${name}: everything visible is A's`)
        assert.ok((mine.rowCount ?? 0) > 0, `${name}: A sees its own`)
      })
    }
  })

  test('in a transaction of no tenant nothing is visible at all', async () => {
    for (const { name } of tables)
      await seenBy(undefined, async () =>
        assert.equal((await asApplication.query(`select from ${name}`)).rowCount, 0, name),
      )
  })

  test('in a transaction of A no write reaches or makes a row of B', async () => {
    for (const { name, owner, columns } of tables)
      for (const write of [
        `update ${name} set ${columns.at(-1)} = ${columns.at(-1)} where ${owner} = '${tenantB}'`,
        `delete from ${name} where ${owner} = '${tenantB}'`,
        `update ${name} set ${owner} = '${tenantB}'`,
        `insert into ${name} (${columns.join()}) select ${columns.map((column) => `(copy).${column}`).join()}
         from (select jsonb_populate_record(row, '{"${owner}": "${tenantB}"}') as copy from ${name} row) copied`,
      ])
        await seenBy(tenantA, async () => {
          const outcome = await asApplication.query(write).then(
            ({ rowCount }) => rowCount,
            ({ code }: { code: string }) => code,
          )
          // Nothing found, no right, or a policy or a composite key that refuses.
          assert.ok(outcome === 0 || outcome === '42501' || outcome === '23503', `${write}: ${outcome}`)
        })
  })

  test('a presented client id opens that one credential and nothing of its tenant beyond', async () => {
    const mine = await installation.issueCredential(tenantA)
    const visible: Record<string, number | null> = {}
    await seenBy(undefined, async () => {
      await asApplication.query(`select set_config('app.client_id', $1, true)`, [mine.clientId])
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

  test('a presented personal token opens that one token, its admin and the name of the tenant', async () => {
    const { tokenId } = await installation.createOperator(tenantA)
    const visible: Record<string, number | null> = {}
    await seenBy(undefined, async () => {
      await asApplication.query(`select set_config('app.token_id', $1, true)`, [tokenId])
      for (const { name } of tables) visible[name] = (await asApplication.query(`select from ${name}`)).rowCount
    })
    assert.deepEqual(Object.fromEntries(Object.entries(visible).filter(([, count]) => count)), {
      'directory.operator_user': 1,
      'directory.personal_token': 1,
      'directory.tenant': 1,
    })
  })

  test('a presented payment provider opens that one row of the directory, and nothing of the tenant', async () => {
    const { id } = await createProvider(installation, tenantA)
    const visible: Record<string, number | null> = {}
    await seenBy(undefined, async () => {
      await asApplication.query(`select set_config('app.provider_id', $1, true)`, [id])
      for (const { name } of tables) visible[name] = (await asApplication.query(`select from ${name}`)).rowCount
    })
    assert.deepEqual(Object.fromEntries(Object.entries(visible).filter(([, count]) => count)), {
      'directory.payment_provider': 1,
    })
  })

  test('what the worker sees of all tenants is ids, states, dates and what a chain shows, and events on their way', async () => {
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
      'cell.chain_cursor': ['chain', 'changed_at', 'finalized_number', 'head_hash', 'head_number', 'joined_count'],
      'cell.chain_op': ['chain', 'id', 'look_at', 'state', 'tenant_id'],
      'cell.chain_signer': ['chain', 'desk_address', 'tenant_id'],
      'cell.event_head': ['last_sequence', 'tenant_id'],
      'cell.event_outbox': events,
      'cell.indexed_token': ['chain', 'desk_address', 'has_joined', 'read_until', 'token_address'],
      'cell.offering': [
        'blockchain',
        'id',
        'minting_stopped',
        'status',
        'tenant_id',
        'token_address',
        'token_deployed_at',
        'token_refusal',
        'wanted_token_address',
      ],
      'cell.token_log': ['applied_at', 'block_hash', 'block_number', 'chain', 'tenant_id'],
      'cell.token_order': ['held_reason', 'id', 'offering_id', 'payment_due_at', 'status', 'tenant_id'],
      'cell.wallet': ['challenge_expires_at', 'id', 'status', 'tenant_id'],
      'cell.webhook_cursor': ['sequence', 'tenant_id'],
      'cell.webhook_endpoint': ['id', 'is_served', 'resend_done', 'resend_until', 'tenant_id', 'turn_at'],
    })
  })

  test('without its policy the wall is gone: what the tests above see is the policy and not the query', async () => {
    for (const { name, owner } of tables) {
      await installation.owner((client) =>
        client.query(`alter table ${name} no force row level security, disable row level security`),
      )
      await seenBy(tenantA, async () => {
        const { rowCount } = await asApplication.query(`select from ${name} where ${owner} = $1`, [tenantB])
        assert.ok((rowCount ?? 0) > 0, `${name}: B is still hidden`)
      })
      await installation.owner((client) =>
        client.query(`alter table ${name} enable row level security, force row level security`),
      )
      await seenBy(tenantA, async () => {
        const { rowCount } = await asApplication.query(`select from ${name} where ${owner} = $1`, [tenantB])
        assert.equal(rowCount, 0, `${name}: the wall stands again`)
      })
    }
  })

  test('the application role owns nothing, bypasses nothing and cannot read the job queue', async () => {
    const { rows } = await installation.owner((client) =>
      client.query(`
        select rolname, rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolcanlogin as powerful,
               (select count(*)::int from pg_class where relowner = pg_roles.oid) as owned
        from pg_roles where rolname in ('investor_token_app', 'investor_token_worker') order by 1`),
    )
    assert.deepEqual(rows, [
      { rolname: 'investor_token_app', powerful: false, owned: 0 },
      { rolname: 'investor_token_worker', powerful: false, owned: 0 },
    ])
    await seenBy(tenantA, () =>
      assert.rejects(asApplication.query('select from graphile_worker._private_jobs'), { code: '42501' }),
    )
  })

  test('a job can be queued for the tenant of the transaction only', async () => {
    const enqueue = (tenantId: string) =>
      asApplication.query(`select base.enqueue_job('x', $1::json)`, [JSON.stringify({ tenant_id: tenantId })])
    await seenBy(tenantA, () => enqueue(tenantA))
    await seenBy(tenantA, () => assert.rejects(enqueue(tenantB), { code: '42501' }))
    await seenBy(undefined, () => assert.rejects(enqueue(tenantB), { code: '42501' }))
  })

  test('every foreign key between tenant tables carries the tenant', async () => {
    const { rows } = await installation.owner((client) =>
      client.query<{ name: string; columns: string[] }>(`
        select conrelid::regclass || ' -> ' || confrelid::regclass as name,
               (select array_agg(attname::text) from pg_attribute where attrelid = conrelid and attnum = any (conkey)) as columns
        from pg_constraint
        where contype = 'f' and connamespace in ('directory'::regnamespace, 'cell'::regnamespace)`),
    )
    assert.ok(rows.length > 0)
    for (const { name, columns } of rows) assert.ok(columns.includes('tenant_id'), name)
  })

  test('every view runs with the rights of who asks', async () => {
    const { rows } = await installation.owner((client) =>
      client.query(`
        select relname from pg_class
        where relkind = 'v' and relnamespace in ('directory'::regnamespace, 'cell'::regnamespace)
          and coalesce(array_to_string(reloptions, ','), '') not like '%security_invoker=true%'`),
    )
    assert.deepEqual(rows, [])
  })
})
