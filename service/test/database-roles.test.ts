import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { ApplicationClient } from './harness/installation/application-client.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'

/** Columns that the worker role reads of all tenants. The account of a bank statement is the issuer's own. */
const readableByWorker = `
base.approval: database, expires_at, proposed_at, state
base.audit_head: hash, sequence, tenant_id
base.audit_log: hash, sequence, tenant_id
cell.account_approval: account_id, kind, tenant_id, valid_until
cell.bank_entry: state
cell.bank_statement: account, booked_count, continuity, created_at, entry_count, gap_resolution,
  needs_attention_count, other_count, payment_reversed_count, refund_failed_count, refund_settled_count,
  resolved_count, tenant_id, unassigned_count, waits_for_booking
cell.chain_block: chain, hash, number, parent_hash, timestamp
cell.chain_cursor: backfill_count, chain, changed_at, finalized_number, head_hash, head_number
cell.chain_op: chain, changed_at, created_at, handled_at, id, kind, next_check_at, offering_id, state, tenant_id
cell.chain_signer: chain, desk_address, next_nonce, tenant_id
cell.chain_status: chain, checked_at, finalized_number, head_at, head_number, problem
cell.daily_sum: amount, day, measure, offering_id, tenant_id
cell.event_head: kept_sequence, last_sequence, restored_sequence, restored_to, tenant_id
cell.event_outbox: client_id, created_at, data, id, insertion, offering_id, scope, sums, tenant_id, type, version
cell.export: created_at, state, tenant_id
cell.gas_day: chain, day, spent_wei, tenant_id
cell.identity: name, singleton
cell.indexed_token: backfilled_to, chain, desk_address, is_backfilled, token_address, unreadable_since
cell.offering: attached_token_address, blockchain, id, minting_stopped, status, tenant_id, token_address,
  token_deployed_at, token_read_to, token_rejection, token_unreadable_since
cell.offering_sum: amount, measure, offering_id, tenant_id
cell.reconciliation: compared_at
cell.residence: epoch, state, tenant_id
cell.signer_status: balance_wei, chain, checked_at, gas_low_since, nonce_latest, tenant_id
cell.tenant: file_bytes, file_mebibytes_max, id
cell.token_log: applied_at, block_hash, block_number, chain, tenant_id
cell.token_order: id, mint_hold_reason, offering_id, paid_at, payment_due_at, ready_at, status, tenant_id
cell.wallet: challenge_expires_at, id, status, tenant_id
cell.webhook_cursor: sequence, tenant_id
cell.webhook_delivery: due_at, endpoint_id, state, tenant_id
cell.webhook_endpoint: disabled_at, failures, has_job, id, job_due_at, resend_done, resend_until, tenant_id,
  verified_at`

/** Rights of the roles of the application and the worker, and guarantees of keys and views, in every schema. */
describe('database roles, keys and views', async () => {
  const installation = await TestInstallation.create()
  const application = await ApplicationClient.connect(installation)
  after(async () => {
    await application.end()
    await installation.end()
  })
  const [tenantA, tenantB] = [await installation.createTenant('A'), await installation.createTenant('B')]

  test('the worker role reads only ids, states, times, sums, hashes, chain data and the event outbox of all tenants', async () => {
    const rows = await installation.rows<{ name: string; columns: string[] }>(`
        select format('%s.%s', table_schema, table_name) as name, array_agg(column_name::text order by 1) as columns
        from information_schema.column_privileges
        where grantee = 'investor_token_worker' and privilege_type = 'SELECT' and table_schema in ('base', 'directory', 'cell')
        group by table_schema, table_name order by 1`)
    const readable = readableByWorker.trim().split(/\n(?=\w)/)
    assert.deepEqual(
      rows.map(({ name, columns }) => `${name}: ${columns.toSorted().join(', ')}`).toSorted(),
      readable.map((line) => line.replaceAll(/\n +/g, ' ')).toSorted(),
    )
  })

  test('both roles are unprivileged, and the application role cannot read the job queue', async () => {
    const rows = await installation.rows(`
        select rolname, rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolcanlogin as privileged,
               (select count(*)::int from pg_class where relowner = pg_roles.oid) as owned
        from pg_roles where rolname in ('investor_token_app', 'investor_token_worker') order by 1`)
    assert.deepEqual(rows, [
      { rolname: 'investor_token_app', privileged: false, owned: 0 },
      { rolname: 'investor_token_worker', privileged: false, owned: 0 },
    ])
    await application.asTenant(tenantA, () =>
      assert.rejects(application.client.query('select from graphile_worker._private_jobs'), { code: '42501' }),
    )
  })

  test('a job can be enqueued only for the tenant of the transaction', async () => {
    const enqueue = (tenantId: string) =>
      application.client.query(`select base.enqueue_job('x', $1::json)`, [JSON.stringify({ tenant_id: tenantId })])
    await application.asTenant(tenantA, () => enqueue(tenantA))
    await application.asTenant(tenantA, () => assert.rejects(enqueue(tenantB), { code: '42501' }))
    await application.asTenant(undefined, () => assert.rejects(enqueue(tenantB), { code: '42501' }))
  })

  test('every foreign key between tenant tables includes the tenant', async () => {
    const rows = await installation.rows<{ name: string; columns: string[] }>(`
        select conrelid::regclass || ' -> ' || confrelid::regclass as name,
               (select array_agg(attname::text) from pg_attribute
                where attrelid = conrelid and attnum = any (conkey)) as columns
        from pg_constraint
        where contype = 'f' and connamespace in ('directory'::regnamespace, 'cell'::regnamespace)
          -- Persons, cells and processes belong to no tenant.
          and confrelid not in ('directory.operator_identity'::regclass, 'directory.cell'::regclass,
                                'directory.cell_process'::regclass)`)
    assert.ok(rows.length > 0)
    for (const { name, columns } of rows) assert.ok(columns.includes('tenant_id'), name)
  })

  test('every view runs with the privileges of its caller', async () => {
    const rows = await installation.rows(`
        select relname from pg_class
        where relkind = 'v' and relnamespace in ('directory'::regnamespace, 'cell'::regnamespace)
          and coalesce(array_to_string(reloptions, ','), '') not like '%security_invoker=true%'`)
    assert.deepEqual(rows, [])
  })
})
