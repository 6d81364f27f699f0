import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { confirmAs } from '../../../test/harness/callers/second-person.ts'
import { individual } from '../../../test/harness/data/bodies.ts'
import { ExportRows } from '../../../test/harness/data/export-rows.ts'
import { Fixtures } from '../../../test/harness/data/fixtures.ts'
import { type ApiResponse, assertError } from '../../../test/harness/installation/api-client.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'
import type { TestOperator } from '../../../test/harness/installation/test-users.ts'
import { createUnassignedPayment } from '../../../test/harness/money/incoming-payment.ts'
import { until } from '../../../test/harness/wait.ts'
import { createAccount } from '../../sales/accounts/create-account.ts'
import { createOrder } from '../../sales/orders/create-order.ts'
import { deleteExport } from './delete-export.job.ts'

const copies = 2_500
const hostileName = '=HYPERLINK("https://evil.example","click")'

describe('exports', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const api = await installation.startOperatorApiProcess()
  const tenantId = await installation.createTenant('A')
  const me = await installation.createOperator(tenantId)
  const rows = new ExportRows(installation, tenantId)
  const fixtures = new Fixtures(installation)
  const direct = new DirectOperations(installation, tenantId)
  const account = { ...individual, individual: { ...individual.individual, lastName: hostileName } }
  const { id: accountId } = await direct.run(createAccount, { body: account })
  const params = { offeringId: await fixtures.offering(tenantId) }
  const newOrder = { account_id: accountId, units: '1000000000' }
  const { id: orderId } = await direct.run(createOrder, { params, body: newOrder })
  await fixtures.pay(tenantId, orderId)
  const orderIds = [orderId, ...(await rows.copyOrder(orderId, copies))]

  const post = (path: string, body?: unknown, who = me) => api.call('POST', path, { token: who.token, body })
  const download = (id: string, who: { token?: string; cookie?: string } = { token: me.token }) =>
    api.call('POST', `/exports/${id}/download`, { ...who, fileType: 'text/csv' })
  const write = () => rows.write()
  const linesOf = ({ text }: ApiResponse) => text.split('\r\n').slice(1, -1)
  /** Splits a line without commas, quotes and line breaks in its texts. */
  const cellsOf = (line: string | undefined) => line?.split(',').map((cell) => cell.replaceAll('"', ''))
  const idsIn = (response: ApiResponse) => linesOf(response).map((line) => cellsOf(line)?.[0])
  const sql = (text: string, values?: unknown[]) => installation.rows(text, values)

  test('contain every row once, in order and across chunks, and nothing that was created later', async () => {
    const created = await post('/exports', { kind: 'orders' })
    assert.equal(created.status, 201, created.text)
    assert.deepEqual([created.body.state, created.body.row_count], ['running', 0])
    assertError(await download(created.body.id), 409, 'export_not_done')
    await rows.copyOrder(orderId, 1, copies)
    await write()
    const { body: done } = await api.call('GET', `/exports/${created.body.id}`, { token: me.token })
    assert.deepEqual([done.state, done.row_count], ['done', orderIds.length])
    const file = await download(done.id)
    assert.deepEqual(idsIn(file), orderIds)
    assert.equal(Buffer.byteLength(file.text), done.byte_count)
    assert.equal(file.headers.get('content-length'), String(done.byte_count))
    assert.ok(!file.text.includes('HYPERLINK'), 'names are in exports with personal data only')
    const [audited] = await sql(
      `select actor_id, after from base.audit_log where action = 'export.downloaded' and subject_id = $1`,
      [done.id],
    )
    assert.deepEqual(audited, {
      actor_id: me.userId,
      after: { kind: 'orders', with_personal_data: false, row_count: orderIds.length },
    })
  })

  test('take filters, and reject those of other kinds', async () => {
    await rows.expireAll()
    const paid = await post('/exports', { kind: 'orders', statuses: ['PAID'] })
    const none = await post('/exports', { kind: 'orders', to: '2026-01-01T00:00:00.000Z' })
    const payments = await post('/exports', { kind: 'payments' })
    const audit = await post('/exports', { kind: 'audit', action: 'export.requested' })
    await write()
    assert.deepEqual(idsIn(await download(paid.body.id)), [orderId])
    assert.deepEqual(idsIn(await download(none.body.id)), [])
    assert.equal(cellsOf(linesOf(await download(payments.body.id))[0])?.[1], orderId)
    // Leaves out the entry of the export itself.
    assert.equal(linesOf(await download(audit.body.id)).length, 4)
    for (const body of [
      { kind: 'orders', statuses: ['due'] },
      { kind: 'payments', statuses: ['PAID'] },
      { kind: 'audit', offering_id: crypto.randomUUID() },
      { kind: 'audit', with_personal_data: true },
      { kind: 'holders' },
      { kind: 'orders', from: '2026-02-01T00:00:00.000Z', to: '2026-01-01T00:00:00.000Z' },
    ])
      assertError(await post('/exports', body), 400, 'validation_failed')
  })

  test('a worker that is killed between two chunks neither loses nor duplicates a row', async () => {
    await rows.expireAll()
    const lock = 4_711
    await sql(`
      create function wait_for_test() returns trigger language plpgsql as
        $$ begin perform pg_advisory_xact_lock(${lock}); return new; end $$;
      create trigger wait_for_test before insert on cell.export_chunk
        for each row when (new.position = 1) execute function wait_for_test()`)
    const worker = await installation.startWorkerProcess()
    const id = await installation.owner(async (holder) => {
      await holder.query('select pg_advisory_lock($1)', [lock])
      const { body } = await post('/exports', { kind: 'orders' })
      await until('the second chunk waits', async () => {
        const waiting = await sql(`select from pg_locks where locktype = 'advisory' and objid = $1 and not granted`, [
          lock,
        ])
        return waiting.length === 1
      })
      await worker.kill()
      return body.id as string
    })
    const [half] = await sql('select state, row_count from cell.export where id = $1', [id])
    assert.deepEqual(half, { state: 'running', row_count: '1000' })
    await sql('drop trigger wait_for_test on cell.export_chunk')
    const second = await installation.startWorkerProcess()
    await until('the export is done', async () => {
      const { body } = await api.call('GET', `/exports/${id}`, { token: me.token })
      return body.state === 'done'
    })
    const all = idsIn(await download(id))
    assert.equal(all.length, new Set(all).size)
    assert.deepEqual(all, await storedOrders())
    await second.kill()
  })

  const storedOrders = async () =>
    (await sql('select id from cell.token_order where tenant_id = $1 order by id', [tenantId])).map(({ id }) => id)

  test('an export that was cancelled or expired has no file, and its chunks are deleted', async () => {
    const chunksOf = (id: string) => sql('select from cell.export_chunk where export_id = $1', [id])
    const [cancelled, expired] = [await rows.done(), await rows.done()]
    await sql(`update cell.export set state = 'done' where id in ($1, $2)`, [cancelled, expired])
    const response = await post(`/exports/${cancelled}/cancel`)
    assert.equal(response.body.state, 'cancelled')
    assertError(await download(cancelled), 409, 'export_not_done')
    await sql(`update cell.export set expires_at = now() - interval '1 second' where id = $1`, [expired])
    assertError(await download(expired), 409, 'export_not_done')
    for (const id of [cancelled, expired]) {
      assert.ok((await chunksOf(id)).length > 0)
      await deleteExport.run({ tenant_id: tenantId, export_id: id }, rows.context())
      assert.equal((await chunksOf(id)).length, 0)
    }
    const { body } = await api.call('GET', `/exports/${expired}`, { token: me.token })
    assert.equal(body.state, 'expired')
  })

  test('the deletion of an export is queued when it is requested, for 24 hours later', async () => {
    await rows.expireAll()
    const { body } = await post('/exports', { kind: 'refunds' })
    const [job] = await sql(
      `select jobs.run_at from graphile_worker.jobs join graphile_worker._private_jobs private using (id)
       where jobs.task_identifier = 'delete-export' and private.payload ->> 'export_id' = $1`,
      [body.id],
    )
    assert.equal(job?.run_at.toISOString(), body.expires_at)
    assert.equal(new Date(body.expires_at).getTime() - new Date(body.created_at).getTime(), 86_400_000)
  })

  test('a file whose chunks were swapped, taken from another export or cut off cannot be read', async () => {
    /** Expects an error if the first chunk does not open, otherwise a response that ends before its Content-Length. */
    const cut = async (id: string) => {
      const response = await download(id).catch((error: unknown) => error)
      if (!(response instanceof TypeError)) assertError(response as ApiResponse, 500, 'internal_error')
    }
    const swapped = await rows.done()
    await sql(
      `update cell.export_chunk set content = other.content from cell.export_chunk other
       where export_chunk.export_id = $1 and other.export_id = $1 and export_chunk.position + other.position = 1`,
      [swapped],
    )
    await cut(swapped)
    const [one, other] = [await rows.done(), await rows.done()]
    await sql(`update cell.export set state = 'done' where id = $1`, [one])
    await sql(
      `update cell.export_chunk set content = source.content from cell.export_chunk source
       where export_chunk.export_id = $1 and source.export_id = $2 and source.position = export_chunk.position`,
      [one, other],
    )
    await cut(one)
    const short = await rows.done()
    await sql('delete from cell.export_chunk where export_id = $1 and is_last', [short])
    await cut(short)
    await sql('update cell.export set chunk_count = chunk_count - 1 where id = $1', [short])
    await cut(short)
  })

  test('of another tenant answer 404, even with their chunks', async () => {
    const id = await rows.done()
    const stranger = await installation.createOperator(await installation.createTenant('B'))
    assertError(await api.call('GET', `/exports/${id}`, { token: stranger.token }), 404, 'not_found')
    assertError(await download(id, { token: stranger.token }), 404, 'not_found')
    assertError(await post(`/exports/${id}/cancel`, undefined, stranger), 404, 'not_found')
    const { body } = await api.call('GET', '/exports', { token: stranger.token })
    assert.deepEqual(body.results, [])
  })

  test('each kind needs its duty', async () => {
    await rows.expireAll()
    const viewer = await installation.createOperator(tenantId, { role: 'viewer' })
    for (const kind of ['payments', 'refunds', 'audit'])
      assertError(await post('/exports', { kind }, viewer), 403, 'insufficient_duty')
    const money = await rows.done({ kind: 'payments' })
    assertError(await download(money, { token: viewer.token }), 403, 'insufficient_duty')
    assertError(await post(`/exports/${money}/cancel`, undefined, viewer), 403, 'insufficient_duty')
  })

  test('with personal data needs the duty, a passkey and a second person, and only its requester can download it', async () => {
    await rows.expireAll()
    await installation.useDefaultPolicies(tenantId)
    const body = { kind: 'orders', with_personal_data: true, statuses: ['PAID'] }
    const asSession = (who: TestOperator, path: string, given?: unknown) =>
      api.call('POST', path, { cookie: who.cookie, ...(given === undefined ? {} : { body: given }) })
    assertError(await post('/exports', body), 403, 'session_required')
    const viewer = await installation.createOperator(tenantId, { role: 'viewer' })
    assertError(await asSession(viewer, '/exports', body), 403, 'insufficient_duty')
    const slow = await installation.createOperator(tenantId)
    await sql('update directory.operator_session set stepped_up_at = null where id = $1', [slow.sessionId])
    assertError(await asSession(slow, '/exports', body), 403, 'step_up_needed')
    const proposal = await asSession(me, '/exports', body)
    const second = await installation.createOperator(tenantId)
    const confirmed = await confirmAs(api, second, proposal)
    assert.equal(confirmed.status, 200, confirmed.text)
    const { id } = confirmed.body.result
    await write()
    assertError(await download(id), 403, 'session_required')
    assertError(await download(id, { cookie: second.cookie }), 403, 'insufficient_duty')
    const file = await download(id, { cookie: me.cookie })
    const [name] = await sql('select full_name from cell.account where tenant_id = $1', [tenantId])
    assert.ok(name?.full_name.includes(hostileName))
    assert.match(file.text, /,"[^"]* =HYPERLINK\(""https:/)
    const [sealed] = await sql('select content from cell.export_chunk where export_id = $1', [id])
    assert.ok(!sealed?.content.includes('HYPERLINK'))
  })

  test('of payments show the payer only with personal data', async () => {
    await createUnassignedPayment(installation, tenantId)
    const id = await rows.done({ kind: 'payments', withPersonalData: true, createdBy: me.userId })
    const { text } = await download(id, { cookie: me.cookie })
    assert.match(text, /^"payment_id",.*,"payer","payer_iban"\r\n/)
  })

  test('of orders have whole tokens beside units, which times the price are the amounts of the database', async () => {
    await rows.expireAll()
    const { id } = (await post('/exports', { kind: 'orders' })).body
    await write()
    const [header = '', ...lines] = (await download(id)).text.split('\r\n').slice(0, -1)
    const names = cellsOf(header) ?? []
    const cell = (line: string, name: string) => cellsOf(line)?.[names.indexOf(name)] ?? ''
    const [order] = await sql(
      `select token_order.id, units::text, decimals, trim_scale(units / 10::numeric ^ decimals)::text as tokens,
              total_amount::text as total
       from cell.token_order join cell.offering on offering.id = token_order.offering_id where token_order.id = $1`,
      [orderId],
    )
    assert.equal(order.decimals, 8)
    const line = lines.find((one) => one.includes(orderId)) ?? ''
    assert.equal(cell(line, 'units'), order.units)
    assert.equal(cell(line, 'decimals'), '8')
    assert.equal(Number(cell(line, 'tokens')), Number(order.tokens))
    const worth = (one: string) => Number(cell(one, 'tokens')) * Number(cell(one, 'price_per_token'))
    assert.equal(worth(line), Number(order.total))
    const sumOf = (valueOf: (line: string) => number) => lines.reduce((sum, one) => sum + valueOf(one), 0)
    const total = sumOf((one) => Number(cell(one, 'total_amount')))
    assert.equal(sumOf(worth), total)
  })
})
