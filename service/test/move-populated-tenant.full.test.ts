import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { auditTables, replicatedTables, rowsOfTenant, stayingTables } from '../src/maintain/relocation/moved-tables.ts'
import { MoveWorld } from './harness/clusters/move-world.ts'
import { PopulatedTenants } from './harness/every-operation/populated-tenants.ts'

describe('moving a tenant with rows in every table', async () => {
  const world = await MoveWorld.create()
  const tenants = await PopulatedTenants.create(world.installation)
  after(async () => {
    await tenants.end()
    await world.removeServer()
  })
  const { a: moving, b: staying } = tenants

  const move = (...args: string[]) => world.maintain(['move-tenant', '--tenant', moving, ...args])
  const countIn = async (cell: string, table: string, tenantId: string) =>
    (await world.rows(cell, `select from ${rowsOfTenant(table)}`, [tenantId])).length

  test('every table of a cell is replicated, or stays for a reason', async () => {
    const tables = await world.rows<{ name: string }>(
      'main',
      `select nspname || '.' || relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where nspname in ('base', 'cell') and relkind in ('r', 'p') and not relispartition`,
    )
    const classified = [...replicatedTables, ...auditTables, ...Object.keys(stayingTables)]
    assert.deepEqual(classified.toSorted(), tables.map(({ name }) => name).toSorted())
  })

  test('is rejected before anything is changed, naming the rule and the fix', async () => {
    await world.rows('main', `create role no_superuser login`)
    const weak = [...world.urls].map(([name, url]) => `${name}=${url.replace('postgres@', 'no_superuser@')}`).join(' ')
    for (const cell of ['main', 'east'])
      await world.rows(
        cell,
        'grant usage on schema base, cell, graphile_worker to no_superuser; grant select on all tables in schema base, ' +
          'cell, graphile_worker to no_superuser',
      )
    const args = ['move-tenant', '--tenant', moving, '--to', 'east']
    const { code, output } = await world.maintain(args, { OWNER_CELLS: weak })
    assert.equal(code, 1)
    assert.match(output, /login of cell main in OWNER_CELLS must be a superuser/)

    assert.match((await move('--to', 'main')).output, /is in cell main already/)
    assert.match((await move('--to', 'north')).output, /Cell north does not exist: add it with add-cell/)
    assert.match((await move('--back')).output, /has not moved/)
    const unknown = await world.maintain(['move-tenant', '--tenant', crypto.randomUUID(), '--to', 'east'])
    assert.match(unknown.output, /does not exist/)

    await world.rows('east', 'insert into cell.tenant (id) values ($1)', [moving])
    assert.match(
      (await move('--to', 'east')).output,
      /Cell east has rows of the tenant in cell.tenant: they must be empty/,
    )
    await world.rows('east', 'delete from cell.tenant where id = $1', [moving])
    await world.rows('east', 'delete from cell.residence where tenant_id = $1', [moving])
    assert.deepEqual(await world.rows('main', 'select from directory.tenant_move'), [])
    assert.deepEqual(await world.rows('main', 'select from pg_publication'), [])
  })

  test('with --dry-run changes nothing and says how much would be copied', async () => {
    const { code, printed, output } = await move('--to', 'east', '--dry-run')
    assert.equal(code, 0, output)
    assert.ok(Number(printed[0]?.['rows']) > 50 && Number(printed[0]?.['bytes']) > 5_000, output)
    assert.deepEqual(await world.rows('main', 'select from directory.tenant_move'), [])
  })

  test('is rejected if the copy differs, and the tenant stays', async () => {
    const args = ['move-tenant', '--tenant', moving, '--to', 'east']
    assert.equal((await world.maintain(args, { killAt: 'copied' })).code, null)
    await world.rows('east', `update cell.account set email = 'other@example.com' where tenant_id = $1`, [moving])
    const { code, output } = await move('--to', 'east')
    assert.equal(code, 1)
    assert.match(output, /The rows of the tenant differ between cells main and east: cell.account/)
    const [residence] = await world.rows(
      'main',
      'select state, epoch::integer from cell.residence where tenant_id = $1',
      [moving],
    )
    assert.deepEqual(residence, { state: 'here', epoch: 1 })
    await world.maintained(['finish-move', '--tenant', moving])
    for (const table of [...replicatedTables, ...auditTables])
      assert.equal(await countIn('east', table, moving), 0, table)
    assert.deepEqual(await world.rows('main', 'select from pg_replication_slots'), [])
  })

  test('copies all its rows and none of another tenant, with its jobs and the progress of its tokens', async () => {
    for (const tenantId of [moving, staying]) await world.rows('main', addJob, [tenantId])
    await world.rows('main', addTokenProgress, [moving])
    const counts = new Map<string, number>()
    for (const table of replicatedTables) counts.set(table, await countIn('main', table, moving))
    const { code, output, printed } = await move('--to', 'east')
    assert.equal(code, 0, output)
    const tables = replicatedTables.length + auditTables.length
    assert.ok(output.includes(`copied ${tables} of ${tables} tables`), output)
    // The source shares its database with the directory, so the audit logs differ.
    assert.equal(printed[0]?.['tables_compared'], replicatedTables.length)
    for (const [table, count] of counts) {
      // The move numbers the events in the outbox, and adds itself to the audit log.
      if (!/^cell\.(event|daily_sum|offering_sum)$/.test(table))
        assert.equal(await countIn('east', table, moving), count, table)
      assert.ok(count > 0, `${table} has no row, so the test proves nothing`)
      assert.equal(await countIn('east', table, staying), 0, table)
    }
    assert.equal((await world.rows('main', 'select from cell.event_outbox where tenant_id = $1', [moving])).length, 0)
    assert.deepEqual(await world.rows('east', jobsQuery), [
      { tenant: moving, key: 'a key', isLater: true, flags: [moving] },
    ])
    assert.deepEqual(await world.rows('main', jobsQuery), [
      { tenant: staying, key: null, isLater: true, flags: [staying] },
    ])
    assert.deepEqual(
      await world.rows('east', 'select backfilled_to::integer as block, is_backfilled from cell.indexed_token'),
      [{ block: 90, is_backfilled: false }],
    )
    await world.maintained(['verify-audit', '--tenant', moving])
  })

  test('can move on only after finish-move, which deletes the rows left behind and nothing else', async () => {
    assert.match(
      (await move('--to', 'west')).output,
      /can still move back to cell main: end that with maintain finish-move/,
    )
    const counts = new Map<string, number>()
    for (const table of [...replicatedTables, ...auditTables]) counts.set(table, await countIn('main', table, staying))
    const audited = await countIn('main', 'base.audit_log', moving)
    await world.maintained(['finish-move', '--tenant', moving])
    for (const table of replicatedTables) assert.equal(await countIn('main', table, moving), 0, table)
    for (const [table, count] of counts) assert.equal(await countIn('main', table, staying), count, table)
    assert.equal(await countIn('main', 'base.audit_log', moving), audited, 'the log of the directory stays')
    assert.match((await world.maintain(['list-moves'])).output, /^$/)
    assert.match((await move('--back')).output, /what it left behind was deleted/)
  })

  test('drain-cell moves every tenant of a cell', async () => {
    const other = await world.installation.createTenant('small', { cell: 'east' })
    const drained = await world.maintained(['drain-cell', '--cell', 'east', '--to', 'west', '--pause-seconds', '0'])
    const placed = await world.rows(
      'main',
      'select id, epoch::integer from directory.tenant where cell = $1 order by epoch',
      ['west'],
    )
    assert.deepEqual(placed, [
      { id: other, epoch: 2 },
      { id: moving, epoch: 3 },
    ])
    // Between two cells without the directory, the audit logs are compared too.
    assert.equal(drained[0].tables_compared, replicatedTables.length + auditTables.length)
  })

  test('a tenant with approvals in the directory returns to its database, and leaves no copy of them', async () => {
    const maintain = async (...args: string[]) => {
      await world.maintained([...args, '--tenant', staying])
    }
    const approvalsIn = (cell: string) =>
      world.rows<{ row: string }>(cell, `select approval::text as row from ${directoryApprovals}`, [staying])
    const original = await approvalsIn('main')
    assert.equal(original.length, 1)
    await maintain('move-tenant', '--to', 'east')
    assert.deepEqual(await approvalsIn('east'), [])
    await maintain('finish-move')
    // Earlier releases left such a copy behind.
    await world.rows('east', 'insert into base.approval select ($1::text::base.approval).*', [original[0]?.row])
    await maintain('move-tenant', '--to', 'main')
    for (const cell of ['east', 'west']) assert.deepEqual(await approvalsIn(cell), [])
    assert.deepEqual(await approvalsIn('main'), original)
    await maintain('finish-move')
    assert.deepEqual(await approvalsIn('main'), original)
  })
})

const directoryApprovals = `base.approval where tenant_id = $1 and database = 'directory'`

const addJob = `
  select graphile_worker.add_job('check-mint-preconditions', json_build_object('tenant_id', $1::text, 'is_test', true),
    run_at => now() + interval '1 day', flags => array[$1::text],
    job_key => case when exists (select from graphile_worker._private_jobs where key = 'a key') then null else 'a key' end)`

const jobsQuery = `
  select payload ->> 'tenant_id' as tenant, key, run_at > now() + interval '23 hours' as "isLater",
         array(select jsonb_object_keys(flags)) as flags
  from graphile_worker._private_jobs where payload ->> 'is_test' = 'true'`

const addTokenProgress = `
  with token as (
    update cell.offering set token_address = '0x' || repeat('ab', 20)
    where tenant_id = $1 and id = (select id from cell.offering where tenant_id = $1 order by id limit 1)
    returning blockchain, token_address
  ), cursor as (
    insert into cell.chain_cursor (chain, head_number, head_hash, finalized_number)
    select blockchain, 100, '0x01', 90 from token
    on conflict (chain) do update set head_number = 100, finalized_number = 90
  )
  insert into cell.indexed_token (chain, token_address, desk_address, backfilled_to, is_backfilled)
  select blockchain, token_address, '', 10, true from token`
