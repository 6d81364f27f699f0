import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { recordedChanges } from '../../../test/harness/data/recorded.ts'
import { assertError, assertInvalid } from '../../../test/harness/installation/api-client.ts'
import { type CamtOptions, camt053 } from '../../../test/harness/money/camt053.ts'
import { assertMoneyAddsUp } from '../../../test/harness/money/money-check.ts'
import { StatementWorld } from '../../../test/harness/money/statement-world.ts'
import { until } from '../../../test/harness/wait.ts'

describe('bank statements', async () => {
  const world = await StatementWorld.create()
  after(() => world.end())
  const { installation, operator, tenant } = world
  afterEach(() => assertMoneyAddsUp(installation, tenant.id))

  for (const [version, prefix] of [
    ['02', ''],
    ['04', 'ns2'],
    ['08', ''],
    ['13', 'c'],
  ] as const)
    test(`camt.053.001.${version}${prefix && `, prefix ${prefix}`}: a credit that names an order pays it`, async () => {
      const { id, reference } = await world.order()
      const { states, result } = await world.importEntries([{ amount: '125.00', creditorReference: reference }], {
        version,
        prefix,
      })
      assert.deepEqual([states, await world.orderState(id)], [['booked'], ['PAID', 125]])
      assert.deepEqual([result.is_new, result.entries_read, result.entries_new, result.duplicates], [true, 1, 1, 0])
      const [{ provider, received_at: receivedAt }] = (await operator.get(`/orders/${id}/payments`)).body.results
      assert.deepEqual([provider, receivedAt], ['bank_transfer', '2026-07-02T00:00:00.000Z'])
    })

  test('underpaid, completed, overpaid and late: the order gets what it needs, the rest becomes a refund', async () => {
    const [under, over, late] = [await world.order(), await world.order(), await world.order()]
    await tenant.fixtures.bringTo(tenant.id, late.id, 'NOPAYMENT')
    await world.importEntries([
      { amount: '100.00', creditorReference: under.reference },
      { amount: '130.50', text: ['over ', over.reference.slice(0, 9), over.reference.slice(9)] },
      { amount: '125.00', creditorReference: late.reference },
    ])
    assert.deepEqual(await world.orderState(under.id), ['ORDERED', 100])
    assert.deepEqual(await world.orderState(over.id), ['PAID', 125])
    assert.deepEqual((await world.refundsOf(over.id))[0].amount, '5.50')
    assert.deepEqual(
      [await world.orderState(late.id), (await world.refundsOf(late.id))[0].reason],
      [['NOPAYMENT', 0], 'late'],
    )
    await world.importEntries([{ amount: '25.00', endToEndId: `my ${under.reference}` }])
    assert.deepEqual(await world.orderState(under.id), ['PAID', 125])
  })

  test('the same entry twice in one file, and again in another file, is one payment', async () => {
    const { id, reference } = await world.order()
    const entry = { amount: '60.00', creditorReference: reference, bankReference: crypto.randomUUID() }
    const { result } = await world.importEntries([entry, entry, { amount: '1.00', text: 'not known' }])
    assert.deepEqual([result.entries_read, result.entries_new, result.duplicates], [3, 2, 1])
    const again = await world.importEntries([entry], { id: 'S2' })
    assert.deepEqual([again.result.is_new, again.result.entries_new, again.result.duplicates], [true, 0, 1])
    assert.deepEqual([await world.paymentCount(id), await world.orderState(id)], [1, ['ORDERED', 60]])
  })

  test('without a bank reference, an entry is identified by its contents', async () => {
    const { id, reference } = await world.order()
    const entry = { amount: '60.00', creditorReference: reference, bankReference: null, payerName: 'Ada' }
    await world.importEntries([entry], { id: 'S3' })
    const second = await world.importEntries([entry, { ...entry, bookedOn: '2026-07-03' }], { id: 'S4' })
    assert.deepEqual([second.result.entries_new, second.result.duplicates], [1, 1])
    assert.deepEqual([await world.paymentCount(id), await world.orderState(id)], [2, ['ORDERED', 120]])
  })

  test('a fee and a reversal with the bank reference of the transfer are separate entries', async () => {
    const { id, reference } = await world.order()
    const bankReference = crypto.randomUUID()
    const { states, entries } = await world.importEntries([
      { amount: '125.00', creditorReference: reference, bankReference },
      { amount: '0.50', isDebit: true, bankReference },
      { amount: '125.00', isDebit: true, isReversal: true, bankReference },
    ])
    assert.deepEqual(states, ['booked', 'other', 'payment_reversed'])
    assert.equal(entries[2].order_id, id)
    assert.deepEqual(await world.orderState(id), ['ORDERED', 0])
  })

  test('importing the same file again: all entries are duplicates and nothing changes', async () => {
    const { id, reference } = await world.order()
    const xml = camt053({ entries: [{ amount: '125.00', creditorReference: reference }, { amount: '2.00' }] })
    const first = await world.processed(await world.upload(xml))
    const again = await world.processed(await world.upload(xml))
    assert.deepEqual(
      [again.is_new, again.entries_read, again.entries_new, again.duplicates, again.statements[0].id],
      [false, 2, 0, 2, first.statements[0].id],
    )
    assert.equal(await world.paymentCount(id), 1)
  })

  test('the same file sent twice at once is new once', async () => {
    const xml = camt053({ entries: [{ amount: '3.00' }] })
    const results = await installation.owner(async (client) => {
      // Reading stays possible, so an import without its lock would not notice the other one.
      await client.query('begin; lock table cell.bank_statement in exclusive mode')
      const both = Promise.all([world.upload(xml), world.upload(xml)])
      await until('one import waits to insert and the other for the import lock', async () => {
        const { rows } = await installation.owner((observer) =>
          observer.query(`select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
            and (wait_event_type = 'Lock' or (state = 'idle in transaction' and query ~ 'pg_try_advisory_xact_lock'))`),
        )
        return rows.length === 2
      })
      await client.query('commit')
      return both
    })
    const bodies = await Promise.all(results.map((response) => world.processed(response)))
    assert.deepEqual(bodies.map(({ is_new }) => is_new).toSorted(), [false, true])
    assert.equal(bodies[0].statements[0].id, bodies[1].statements[0].id)
  })

  test('concurrent files with the same entries: each entry counts once', async () => {
    const orders = [await world.order(), await world.order(), await world.order()]
    const entries = orders.map(({ reference }) => ({
      amount: '125.00',
      creditorReference: reference,
      bankReference: crypto.randomUUID(),
    }))
    // A tenant may upload two files at once.
    const responses = await Promise.all(
      ['A', 'B'].map((id) => world.upload(camt053({ id, entries: id === 'B' ? entries.toReversed() : entries }))),
    )
    const results = await Promise.all(responses.map((response) => world.processed(response)))
    assert.equal(
      results.reduce((sum, { entries_new: fresh }) => sum + fresh, 0),
      3,
    )
    for (const { id } of orders)
      assert.deepEqual([await world.paymentCount(id), await world.orderState(id)], [1, ['PAID', 125]])
  })

  test('a payment without reference is unassigned; importing it again changes nothing', async () => {
    const apart = await tenant.fixtures.offering(tenant.id, { price_per_token: '77.31' })
    const { id } = await world.order(apart)
    const entry = { amount: '773.10', text: 'forgot it', payerName: 'LOVELACE ADA', bankReference: crypto.randomUUID() }
    const { entries } = await world.importEntries([entry], { id: 'S5' })
    assert.equal(entries[0].state, 'unassigned')
    const paymentId = entries[0].unassigned_payment_id
    const { results } = (await operator.get('/unassigned-payments?status=open&limit=50')).body
    const found = results.find((one: { id: string }) => one.id === paymentId)
    assert.deepEqual([found.status, found.order, found.payer_name], ['open', null, 'LOVELACE ADA'])
    await operator.post(`/unassigned-payments/${paymentId}/assign`, { order_id: id })
    assert.deepEqual(await world.orderState(id), ['PAID', 773.1])
    await assertMoneyAddsUp(installation, tenant.id)
    const again = await world.importEntries([entry], { id: 'S6' })
    assert.deepEqual([again.result.duplicates, await world.paymentCount(id)], [1, 1])
  })

  test('a payment in another currency than its order is unassigned', async () => {
    const { id, reference } = await world.order(await tenant.fixtures.offering(tenant.id, { currency: 'USD' }))
    const { states } = await world.importEntries([{ amount: '125.00', creditorReference: reference }])
    assert.deepEqual([states, await world.orderState(id)], [['unassigned'], ['ORDERED', 0]])
  })

  test('each transaction of a batch is an entry and counts once, also in another file', async () => {
    const [one, other] = [await world.order(), await world.order()]
    const batch = [
      { amount: '125.00', creditorReference: one.reference },
      { amount: '100.00', creditorReference: other.reference },
      { amount: '25.00', creditorReference: other.reference },
    ]
    const entry = { amount: '250.00', bankReference: crypto.randomUUID(), batch }
    const { result, states } = await world.importEntries([entry])
    assert.deepEqual([result.entries_new, states], [3, ['booked', 'booked', 'booked']])
    const repeated = { transactionReference: crypto.randomUUID() }
    const named = { ...entry, batch: batch.map((part) => ({ ...part, ...repeated })), bankReference: null }
    assert.equal((await world.importEntries([named])).result.entries_new, 3)
    assert.equal((await world.importEntries([entry, named], { id: 'S7' })).result.duplicates, 6)
    assert.deepEqual([await world.orderState(one.id), await world.paymentCount(other.id)], [['PAID', 125], 4])
  })

  test('pending entries of the bank are ignored; a file can contain several statements', async () => {
    const { id, reference } = await world.order()
    const pending = { amount: '125.00', creditorReference: reference, status: 'PDNG' }
    const statements = [
      { id: 'D1', entries: [pending, { amount: '1.00', isDebit: true }] },
      { id: 'D2', sequence: '2', openingType: 'PRCD' as const, opening: '-5.00', entries: [{ amount: '7.00' }] },
    ]
    const { result } = await world.importEntries([], { statements })
    assert.deepEqual(
      result.statements.map((one: Record<string, unknown>) => [
        one['bank_id'], one['sequence'], one['opening_balance'], one['closing_balance'], one['entries'],
      ]), // biome-ignore format: a row
      [
        ['D1', '1', '1000.00', '999.00', 1],
        ['D2', '2', '-5.00', '2.00', 1],
      ],
    )
    assert.deepEqual(await world.orderState(id), ['ORDERED', 0])
    const listed = (await operator.get('/statements')).body.results.map((one: { id: string }) => one.id)
    for (const one of result.statements) assert.ok(listed.includes(one.id))
  })

  test('entries can be filtered by state', async () => {
    const { result } = await world.importEntries([{ amount: '1.11' }, { amount: '2.22', isDebit: true }])
    const { results, pagination } = (await operator.get(`/statements/${result.statements[0].id}/entries?state=other`))
      .body
    assert.deepEqual([pagination.count, results[0].amount, results[0].direction], [1, '2.22', 'debit'])
  })

  test('the IBAN of a payer is masked, and shown in full with a record in the audit log', async () => {
    const payer = { payerName: 'Ada Lovelace', payerIban: 'DE02120300000000202051' }
    const { result } = await world.importEntries([{ amount: '1.12', ...payer }])
    const path = `/statements/${result.statements[0].id}/entries`
    const [entry] = (await operator.get(path)).body.results
    assert.deepEqual([entry.payer_name, entry.payer_iban], ['Ada Lovelace', 'DE02…2051'])
    const shown = await operator.post(`${path}/${entry.id}/reveal`)
    assert.deepEqual(shown.body, { payer_name: 'Ada Lovelace', payer_iban: payer.payerIban })
    const [change] = await recordedChanges(installation, entry.id)
    assert.deepEqual([change?.action, change?.actor_id], ['statement_entry.revealed', operator.who.userId])
    assertError(await operator.post(`${path}/${crypto.randomUUID()}/reveal`), 404, 'not_found')
  })

  for (const [code, message, change] of [
    ['400 statement_unbalanced', /^Line \d+: the opening balance and the entries do not add up/, { closing: '1.00' }],
    [
      '409 statement_account_unknown',
      /not the collection account of any of your offerings/,
      { account: 'DE02120300000000202051' },
    ],
    ['400 statement_currency_mismatch', /your offerings collect (EUR|USD) on this account/, { currency: 'CHF' }],
    [
      '400 statement_currency_mismatch',
      /^Line \d+: the account is in EUR, but an entry is not/,
      { entries: [{ amount: '1.00', currency: 'USD' }] },
    ],
    [
      '400 statement_unbalanced',
      /^Line \d+: the transactions of a batch do not add up/,
      { entries: [{ amount: '3.00', batch: [{ amount: '1.00' }, { amount: '1.00' }] }] },
    ],
    [
      '400 statement_format_unsupported',
      /^Line \d+: the file is camt.053.001.01, which is not supported/,
      { version: '01' },
    ],
    ['400 statement_format_unsupported', /booking date/, { entries: [{ amount: '1.00', bookedOn: '2026-13-40' }] }],
  ] as const)
    test(`${code} for the whole file, and nothing is imported: ${message.source}`, async () => {
      const count = () =>
        installation.rows('select (select count(*) from cell.bank_statement), (select count(*) from cell.bank_entry)')
      const countBefore = await count()
      const good = { amount: '1.00' }
      const options = 'entries' in change ? { entries: [good, ...change.entries] } : { entries: [good], ...change }
      const response = await world.upload(camt053(options as CamtOptions))
      assertError(response, Number(code.slice(0, 3)), code.slice(4))
      assert.match(response.body.error.message, message)
      assert.deepEqual(await count(), countBefore)
    })

  test("a payer's name, IBAN and text are readable in no table, event, job, audit record or log line", async () => {
    const { id, reference } = await world.order()
    const canary = { payerName: 'Canary Nightingale', payerIban: 'FR7630006000011234567890189', text: 'canary words' }
    await world.importEntries([
      { amount: '126.00', creditorReference: reference, ...canary },
      { amount: '5.55', ...canary },
    ])
    assert.deepEqual(await world.orderState(id), ['PAID', 125])
    const rows = await installation.rows<{ row: string }>(`
        select row_to_json(bank_entry)::text || encode(details, 'escape') as row from cell.bank_entry
        union all select data::text from cell.event_outbox union all select data::text from cell.event
        union all select payload::text from graphile_worker._private_jobs
        union all select coalesce(after::text, '') from base.audit_log`)
    const everything = [...rows.map(({ row }) => row), ...world.operatorApi.process.output]
    for (const line of everything) assert.doesNotMatch(line, /canary|nightingale|FR76/i)
  })

  test('415 for a file sent as JSON or compressed, 400 for an empty body', async () => {
    const { token } = operator.who
    assertError(await world.operatorApi.call('POST', '/statements', { token, body: {} }), 415, 'unsupported_media_type')
    const zipped = { 'content-type': 'application/xml', 'content-encoding': 'gzip' }
    const response = await world.operatorApi.call('POST', '/statements', { token, body: 'x', headers: zipped })
    assertError(response, 415, 'unsupported_media_type')
    assertInvalid(await world.operatorApi.call('POST', '/statements', { token }))
  })
})
