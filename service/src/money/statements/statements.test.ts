import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { type Answer, assertError } from '../../../test/harness/api-client.ts'
import { type CamtEntry, type CamtOptions, camt053 } from '../../../test/harness/camt053.ts'
import { assertMoneyAddsUp } from '../../../test/harness/money-check.ts'
import { OperatorClient } from '../../../test/harness/operator-client.ts'
import { type RunningApi, TestInstallation } from '../../../test/harness/service.ts'
import { TestTenant } from '../../../test/harness/tenant.ts'
import { until } from '../../../test/harness/wait.ts'

/** An order costs 125.00 EUR in all of these. */
describe('bank statements', () => {
  let installation: TestInstallation
  let api: RunningApi
  let operatorApi: RunningApi
  let tenant: TestTenant
  let operator: OperatorClient
  let accountId: string
  let offeringId: string

  before(async () => {
    installation = await TestInstallation.create()
    ;[api, operatorApi] = await Promise.all([
      installation.startApi(),
      installation.startOperatorApi(),
      installation.startWorker(),
    ])
    tenant = await TestTenant.create(installation, api)
    operator = await OperatorClient.create(installation, operatorApi, tenant.id)
    accountId = await tenant.account()
    offeringId = await tenant.fixtures.offering(tenant.id)
  })
  after(() => installation.end())
  afterEach(() => assertMoneyAddsUp(installation, tenant.id))

  const order = async (offering = offeringId) => {
    const id = await tenant.order(offering, accountId)
    return { id, reference: String((await operator.get(`/orders/${id}`)).body.payment_reference) }
  }
  const upload = (xml: string): Promise<Answer> =>
    operatorApi.call('POST', '/statements', {
      token: operator.who.token,
      body: xml,
      headers: { 'content-type': 'application/xml' },
    })
  const read = async (statementId: string) => (await operator.get(`/statements/${statementId}`)).body
  const done = async (answer: Answer) => {
    assert.equal(answer.status, 201, answer.text)
    for (const { id } of answer.body.statements)
      await until('all entries are booked', async () => (await read(id)).waiting === 0)
    await assertMoneyAddsUp(installation, tenant.id)
    return answer.body
  }
  /** Imports a file, waits until it is booked, and tells what became of its entries in their order. */
  const statement = async (entries: CamtEntry[], options: CamtOptions = {}) => {
    const result = await done(await upload(camt053({ entries, ...options })))
    const shown = []
    for (const { id } of result.statements)
      shown.push(...(await operator.get(`/statements/${id}/entries?direction=asc&limit=50`)).body.results)
    return { result, entries: shown, states: shown.map(({ state }: { state: string }) => state) }
  }
  const orderNow = async (id: string) => {
    const { status, paid_amount: paid } = (await operator.get(`/orders/${id}`)).body
    return [status, paid]
  }
  const refundsOf = async (id: string) => (await operator.get(`/refunds?order_id=${id}&direction=asc`)).body.results
  const paymentsOf = async (id: string) => (await operator.get(`/orders/${id}/payments`)).body.pagination.count

  for (const [version, prefix] of [
    ['02', ''],
    ['04', 'ns2'],
    ['08', ''],
    ['13', 'c'],
  ] as const)
    test(`camt.053.001.${version}${prefix && ` with the prefix ${prefix}`}: a credit that names an order pays it`, async () => {
      const { id, reference } = await order()
      const { states, result } = await statement([{ amount: '125.00', creditorReference: reference }], {
        version,
        prefix,
      })
      assert.deepEqual([states, await orderNow(id)], [['booked'], ['PAID', 125]])
      assert.deepEqual([result.is_new, result.entries_read, result.entries_new, result.duplicates], [true, 1, 1, 0])
      const [{ provider, received_at: receivedAt }] = (await operator.get(`/orders/${id}/payments`)).body.results
      assert.deepEqual([provider, receivedAt], ['bank_transfer', '2026-07-02T00:00:00.000Z'])
    })

  test('too little, the rest, too much and late money: applied as far as it goes, the rest owed back', async () => {
    const [under, over, late] = [await order(), await order(), await order()]
    await tenant.fixtures.bringTo(tenant.id, late.id, 'NOPAYMENT')
    await statement([
      { amount: '100.00', creditorReference: under.reference },
      { amount: '130.50', text: ['over ', over.reference.slice(0, 9), over.reference.slice(9)] },
      { amount: '125.00', creditorReference: late.reference },
    ])
    assert.deepEqual(await orderNow(under.id), ['ORDERED', 100])
    assert.deepEqual(await orderNow(over.id), ['PAID', 125])
    assert.deepEqual((await refundsOf(over.id))[0].amount, '5.50')
    assert.deepEqual([await orderNow(late.id), (await refundsOf(late.id))[0].reason], [['NOPAYMENT', 0], 'late'])
    await statement([{ amount: '25.00', endToEndId: `my ${under.reference}` }])
    assert.deepEqual(await orderNow(under.id), ['PAID', 125])
  })

  test('the same entry twice in one file, and again in another one, is one payment; duplicates are told', async () => {
    const { id, reference } = await order()
    const entry = { amount: '60.00', creditorReference: reference, bankReference: crypto.randomUUID() }
    const { result } = await statement([entry, entry, { amount: '1.00', text: 'not known' }])
    assert.deepEqual([result.entries_read, result.entries_new, result.duplicates], [3, 2, 1])
    const again = await statement([entry], { id: 'S2' })
    assert.deepEqual([again.result.is_new, again.result.entries_new, again.result.duplicates], [true, 0, 1])
    assert.deepEqual([await paymentsOf(id), await orderNow(id)], [1, ['ORDERED', 60]])
  })

  test('without a reference of the bank an entry is known by what it says', async () => {
    const { id, reference } = await order()
    const entry = { amount: '60.00', creditorReference: reference, bankReference: null, payerName: 'Ada' }
    await statement([entry], { id: 'S3' })
    const second = await statement([entry, { ...entry, bookedOn: '2026-07-03' }], { id: 'S4' })
    assert.deepEqual([second.result.entries_new, second.result.duplicates], [1, 1])
    assert.deepEqual([await paymentsOf(id), await orderNow(id)], [2, ['ORDERED', 120]])
  })

  test('a fee and a reversal under the reference of the transfer are entries of their own', async () => {
    const { id, reference } = await order()
    const bankReference = crypto.randomUUID()
    const { states, entries } = await statement([
      { amount: '125.00', creditorReference: reference, bankReference },
      { amount: '0.50', isDebit: true, bankReference },
      { amount: '125.00', isDebit: true, isReversal: true, bankReference },
    ])
    assert.deepEqual(states, ['booked', 'other', 'attention'])
    assert.equal(entries[2].note, 'The bank has taken a credit back.')
    // Nothing is undone silently.
    assert.deepEqual(await orderNow(id), ['PAID', 125])
  })

  test('the same file again: all duplicates, nothing changes, and the answer says so', async () => {
    const { id, reference } = await order()
    const xml = camt053({ entries: [{ amount: '125.00', creditorReference: reference }, { amount: '2.00' }] })
    const first = await done(await upload(xml))
    const again = await done(await upload(xml))
    assert.deepEqual(
      [again.is_new, again.entries_read, again.entries_new, again.duplicates, again.statements[0].id],
      [false, 2, 0, 2, first.statements[0].id],
    )
    assert.equal(await paymentsOf(id), 1)
  })

  test('two files with the same entries at once: each entry once', async () => {
    const orders = [await order(), await order(), await order()]
    const entries = orders.map(({ reference }) => ({
      amount: '125.00',
      creditorReference: reference,
      bankReference: crypto.randomUUID(),
    }))
    const answers = await Promise.all(
      ['A', 'B', 'C'].map((id) => upload(camt053({ id, entries: id === 'B' ? entries.toReversed() : entries }))),
    )
    const results = await Promise.all(answers.map(done))
    assert.equal(
      results.reduce((sum, { entries_new: fresh }) => sum + fresh, 0),
      3,
    )
    for (const { id } of orders) assert.deepEqual([await paymentsOf(id), await orderNow(id)], [1, ['PAID', 125]])
  })

  test('an unknown reference waits, is suggested an order, and is assigned; the file again changes nothing', async () => {
    const apart = await tenant.fixtures.offering(tenant.id, { price_per_token: '77.31' })
    const { id } = await order(apart)
    const entry = { amount: '773.10', text: 'forgot it', payerName: 'LOVELACE ADA', bankReference: crypto.randomUUID() }
    const { entries } = await statement([entry], { id: 'S5' })
    assert.equal(entries[0].state, 'unassigned')
    const paymentId = entries[0].unassigned_payment_id
    const { results } = (await operator.get('/unassigned-payments?status=open&limit=50')).body
    const found = results.find((one: { id: string }) => one.id === paymentId)
    assert.deepEqual([found.suggestions[0].order_id, found.payer_name], [id, 'LOVELACE ADA'])
    await operator.post(`/unassigned-payments/${paymentId}/assign`, { order_id: id })
    assert.deepEqual(await orderNow(id), ['PAID', 773.1])
    await assertMoneyAddsUp(installation, tenant.id)
    const again = await statement([entry], { id: 'S6' })
    assert.deepEqual([again.result.duplicates, await paymentsOf(id)], [1, 1])
  })

  test('money for an order in another currency waits', async () => {
    const { id, reference } = await order(await tenant.fixtures.offering(tenant.id, { currency: 'USD' }))
    const { states } = await statement([{ amount: '125.00', creditorReference: reference }])
    assert.deepEqual([states, await orderNow(id)], [['unassigned'], ['ORDERED', 0]])
  })

  test('a batch is as many transactions as it has; each counts once, also in another file', async () => {
    const [one, other] = [await order(), await order()]
    const batch = [
      { amount: '125.00', creditorReference: one.reference },
      { amount: '100.00', creditorReference: other.reference },
      { amount: '25.00', creditorReference: other.reference },
    ]
    const entry = { amount: '250.00', bankReference: crypto.randomUUID(), batch }
    const { result, states } = await statement([entry])
    assert.deepEqual([result.entries_new, states], [3, ['booked', 'booked', 'booked']])
    const repeated = { transactionReference: crypto.randomUUID() }
    const named = { ...entry, batch: batch.map((part) => ({ ...part, ...repeated })), bankReference: null }
    assert.equal((await statement([named])).result.entries_new, 3)
    assert.equal((await statement([entry, named], { id: 'S7' })).result.duplicates, 6)
    assert.deepEqual([await orderNow(one.id), await paymentsOf(other.id)], [['PAID', 125], 4])
  })

  const sentRefund = async () => {
    const { id, reference } = await order()
    await statement([{ amount: '135.00', creditorReference: reference }])
    const [refund] = await refundsOf(id)
    await operator.post(`/refunds/${refund.id}/send`, { reference: 'RUN-1' })
    return { orderId: id, refundId: String(refund.id), endToEndId: String(refund.id).replaceAll('-', '') }
  }
  const refundNow = async (refundId: string) => {
    const { status, failure } = (await operator.get(`/refunds/${refundId}`)).body
    return [status, failure]
  }

  test('a refund that left the account is settled; that it came back later, it has failed and why', async () => {
    const { refundId, endToEndId } = await sentRefund()
    const { states } = await statement([{ amount: '10.00', isDebit: true, endToEndId: endToEndId.toUpperCase() }])
    assert.deepEqual([states, await refundNow(refundId)], [['refund_settled'], ['settled', null]])
    const back = await statement([{ amount: '10.00', endToEndId, returnCode: 'AC04', returnText: 'closed account' }])
    assert.deepEqual([back.states, await refundNow(refundId)], [['refund_failed'], ['failed', 'AC04 closed account']])
    assert.deepEqual([back.entries[0].refund_id, back.entries[0].order_id], [refundId, null])
  })

  test('a refund that comes back without ever having left, and without a code, has failed too', async () => {
    const { refundId, endToEndId } = await sentRefund()
    const { states } = await statement([{ amount: '10.00', endToEndId }])
    assert.deepEqual([states, await refundNow(refundId)], [['refund_failed'], ['failed', 'returned by the bank']])
  })

  test('another amount, a refund nobody sent, one paid twice, a return of nothing of ours: somebody has to look', async () => {
    const { refundId, endToEndId } = await sentRefund()
    const debit = { amount: '10.00', isDebit: true, endToEndId }
    const first = await statement([{ ...debit, amount: '9.99' }, debit, { ...debit, bankReference: 'twice' }])
    assert.deepEqual(first.states, ['attention', 'refund_settled', 'attention'])
    assert.match(first.entries[0].note, /^The refund is of 10.00 EUR/)
    assert.match(first.entries[2].note, /^The refund is settled/)
    const { id, reference } = await order()
    await statement([{ amount: '126.00', creditorReference: reference }])
    const due = String((await refundsOf(id))[0].id)
    const second = await statement([
      { amount: '1.00', isDebit: true, endToEndId: due.replaceAll('-', '') },
      { amount: '3.00', returnCode: 'AC01' },
      { amount: '4.00', isDebit: true, endToEndId: crypto.randomUUID().replaceAll('-', '') },
    ])
    assert.deepEqual(second.states, ['attention', 'attention', 'other'])
    assert.deepEqual(
      [await refundNow(refundId), await refundNow(due)],
      [
        ['settled', null],
        ['due', null],
      ],
    )
  })

  test('what wants attention is listed until somebody says what was done; that moves no money, and is audited', async () => {
    const { id, reference } = await order()
    const bankReference = crypto.randomUUID()
    const { result, entries } = await statement([
      { amount: '125.00', creditorReference: reference, bankReference },
      { amount: '125.00', isDebit: true, isReversal: true, bankReference },
    ])
    const statementId = result.statements[0].id
    const [booked, reversal] = entries
    const listed = async (attention: boolean) =>
      (await operator.get(`/statements?attention=${attention}&limit=50`)).body.results.some(
        (one: { id: string }) => one.id === statementId,
      )
    assert.deepEqual([await listed(true), await listed(false)], [true, false])
    const handle = (entryId: string, reason: string) =>
      operator.post(`/statements/${statementId}/entries/${entryId}/handle`, { reason })

    assertError(await handle(booked.id, 'no'), 409, 'statement_entry_not_in_attention')
    assertError(await handle(crypto.randomUUID(), 'no'), 404, 'not_found')
    const handled = await handle(reversal.id, 'The payer paid again by card.')
    assert.equal(handled.status, 200, handled.text)
    const { state, note, handling } = handled.body
    assert.deepEqual(
      [state, note, handling],
      ['handled', 'The bank has taken a credit back.', 'The payer paid again by card.'],
    )
    assert.deepEqual((await handle(reversal.id, 'said again')).body, handled.body)
    const counts = await read(statementId)
    assert.deepEqual([counts.waiting, counts.booked, counts.attention, counts.handled], [0, 1, 0, 1])
    assert.deepEqual([await listed(true), await listed(false)], [false, true])
    assert.deepEqual(await orderNow(id), ['PAID', 125])
    const audited = (await operator.get(`/audit?subject_id=${reversal.id}`)).body
    assert.deepEqual(
      [audited.pagination.count, audited.results[0].action, audited.results[0].after.state],
      [1, 'statement_entry.handled', 'handled'],
    )
  })

  test('only what is booked counts; several statements in one file are several', async () => {
    const { id, reference } = await order()
    const pending = { amount: '125.00', creditorReference: reference, status: 'PDNG' }
    const statements = [
      { id: 'D1', entries: [pending, { amount: '1.00', isDebit: true }] },
      { id: 'D2', sequence: '2', openingType: 'PRCD' as const, opening: '-5.00', entries: [{ amount: '7.00' }] },
    ]
    const { result } = await statement([], { statements })
    assert.deepEqual(
      result.statements.map((one: Record<string, unknown>) => [
        one['bank_id'], one['sequence'], one['opening_balance'], one['closing_balance'], one['entries'],
      ]), // biome-ignore format: a row
      [
        ['D1', '1', '1000.00', '999.00', 1],
        ['D2', '2', '-5.00', '2.00', 1],
      ],
    )
    assert.deepEqual(await orderNow(id), ['ORDERED', 0])
    const listed = (await operator.get('/statements')).body.results.map((one: { id: string }) => one.id)
    for (const one of result.statements) assert.ok(listed.includes(one.id))
  })

  test('entries are found by their state', async () => {
    const { result } = await statement([{ amount: '1.11' }, { amount: '2.22', isDebit: true }])
    const { results, pagination } = (await operator.get(`/statements/${result.statements[0].id}/entries?state=other`))
      .body
    assert.deepEqual([pagination.count, results[0].amount, results[0].direction], [1, '2.22', 'debit'])
  })

  for (const [code, sentence, change] of [
    ['400 statement_unbalanced', /^Line \d+: the opening balance and the entries do not add up/, { closing: '1.00' }],
    ['409 statement_account_unknown', /no offering of yours collects money on/, { account: 'DE02120300000000202051' }],
    ['400 statement_currency_mismatch', /your offerings collect (EUR|USD) on this account/, { currency: 'CHF' }],
    [
      '400 statement_currency_mismatch',
      /^Line \d+: the account is in EUR, an entry of it is not/,
      { entries: [{ amount: '1.00', currency: 'USD' }] },
    ],
    [
      '400 statement_unbalanced',
      /^Line \d+: the transactions of a batch do not add up/,
      { entries: [{ amount: '3.00', batch: [{ amount: '1.00' }, { amount: '1.00' }] }] },
    ],
    ['400 statement_format_unsupported', /^Line \d+: this is camt.053.001.01, which is too old/, { version: '01' }],
    ['400 statement_format_unsupported', /booking date/, { entries: [{ amount: '1.00', bookedOn: '2026-13-40' }] }],
  ] as const)
    test(`${code} for a whole file, and nothing of it stays: ${sentence.source}`, async () => {
      const count = async () => {
        const { rows } = await installation.owner((client) =>
          client.query('select (select count(*) from cell.bank_statement), (select count(*) from cell.bank_entry)'),
        )
        return rows
      }
      const there = await count()
      const good = { amount: '1.00' }
      const options = 'entries' in change ? { entries: [good, ...change.entries] } : { entries: [good], ...change }
      const answer = await upload(camt053(options as CamtOptions))
      assertError(answer, Number(code.slice(0, 3)), code.slice(4))
      assert.match(answer.body.error.message, sentence)
      assert.deepEqual(await count(), there)
    })

  test('a payment, an entry and a refund of a statement are in no log line and no event with who paid', async () => {
    const { id, reference } = await order()
    const canary = { payerName: 'Canary Nightingale', payerIban: 'FR7630006000011234567890189', text: 'canary words' }
    await statement([
      { amount: '126.00', creditorReference: reference, ...canary },
      { amount: '5.55', ...canary },
    ])
    assert.deepEqual(await orderNow(id), ['PAID', 125])
    const { rows } = await installation.owner((client) =>
      client.query<{ row: string }>(`
        select row_to_json(bank_entry)::text || encode(details, 'escape') as row from cell.bank_entry
        union all select data::text from cell.event_outbox union all select data::text from cell.event
        union all select payload::text from graphile_worker._private_jobs
        union all select coalesce(after::text, '') from base.audit_log`),
    )
    const everything = [...rows.map(({ row }) => row), ...operatorApi.process.output]
    for (const line of everything) assert.doesNotMatch(line, /canary|nightingale|FR76/i)
  })

  test('415 for a file that is sent as JSON, 400 for none at all', async () => {
    const { token } = operator.who
    assertError(await operatorApi.call('POST', '/statements', { token, body: {} }), 415, 'unsupported_media_type')
    const zipped = { 'content-type': 'application/xml', 'content-encoding': 'gzip' }
    const answer = await operatorApi.call('POST', '/statements', { token, body: 'x', headers: zipped })
    assertError(answer, 415, 'unsupported_media_type')
    assertError(await operatorApi.call('POST', '/statements', { token }), 400, 'validation_failed')
  })
})
