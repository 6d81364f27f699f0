// cspell:ignore pkey
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { selectOrdersByMissingAmount } from '../src/money/payments/orders-by-missing-amount.sql.ts'
import { duties } from '../src/platform/api/declare/duties.ts'
import type { KeysetPage } from '../src/platform/api/declare/keyset-list.ts'
import type { KnownOperator } from '../src/platform/api/declare/services.ts'
import { Money } from '../src/platform/base/money.ts'
import type { Sql } from '../src/platform/postgres/sql.ts'
import type { Transaction } from '../src/platform/postgres/transaction.ts'
import { selectSubjects } from '../src/records/search/search-term.sql.ts'
import type { TimelineSubject } from '../src/records/timeline/timeline-source.ts'
import { selectNamedPage } from '../src/sales/accounts/operator/named-accounts.sql.ts'
import type { AccountFilter } from '../src/sales/accounts/operator/operator-account.sql.ts'
import { countOrders } from '../src/sales/orders/operator/listed-order.sql.ts'
import { selectTimelineEntries } from '../src/workbench/timeline/timeline.sql.ts'
import { timelineSources } from '../src/workbench/timeline/timeline-sources.ts'
import { selectWorkItems, summarizeWork } from '../src/workbench/work/work.sql.ts'
import { workKinds } from '../src/workbench/work/work-kinds.ts'
import { recordingTransaction } from './harness/data/recording-transaction.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { genericPlan } from './harness/load/recorded-statements.ts'

/** Indexes that each source of work reads, written by hand. Sources of small tables read the rows of the tenant. */
const workIndexes: Readonly<Record<string, readonly string[]>> = {
  approval: ['approval_pending', 'approval_pending'],
  secret_expiring: ['personal_token_expiring', 'credential_secret_expiring'],
  approval_pending: ['account_pending'],
  kyc_check_queued: ['kyc_check_queued'],
  order_to_accept: ['token_order_to_accept'],
  order_on_hold: ['token_order_on_hold'],
  late_payment: ['refund_late'],
  part_paid_due_soon: ['token_order_part_paid'],
  refund_due: ['refund_due'],
  refund_failed: ['refund_failed'],
  refund_unsettled: ['refund_sent'],
  unassigned_payment: ['unassigned_payment_open'],
  statement_entry: ['bank_entry_attention'],
  statement_gap: ['bank_statement_open_gap'],
  chain_op_failed: ['chain_op_failed'],
  transfer_to_approve: ['token_transfer_requested'],
  unrequested_transfer: ['unrequested_transfer_open'],
  minting_stopped: ['offering_minting_stopped'],
  token_rejected: ['offering_token_rejected'],
}
const smallTables = ['gas_low', 'indexer_behind', 'webhook_failing']

/**
 * Row-level security lets an index serve leakproof conditions only, which a small database would not show. So the plans
 * are those of the application's role, for tables that are too large to read or to sort.
 */
describe('work, search and timelines read indexes, however large the tables are', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const tenantId = await installation.createTenant('Plans')
  // Inserts enough rows that a partial index is cheaper than one with more rows.
  await installation.rows(`set session_replication_role = replica;
       insert into cell.refund (tenant_id, id, order_id, reason, amount, currency, status)
       select '${tenantId}', gen_random_uuid(), gen_random_uuid(),
              case number % 50 when 0 then 'late' else 'cancelled' end, 1, 'EUR',
              (array['due', 'sent', 'settled', 'failed'])[1 + number % 4]
       from generate_series(1, 4000) number;
       insert into cell.account (tenant_id, id, position, type, email, email_confirmed, is_beneficiary, profile,
                                 bank_account, kyc_status, kyb_status)
       select '${tenantId}', lpad(to_hex(number), 32, '0')::uuid, number, 'INDIVIDUAL', '', true, true,
              '{"firstName": "", "lastName": ""}', '',
              (array['NEW', 'PENDING', 'APPROVED', 'REJECTED', 'DEACTIVATED'])[1 + number % 5], 'NEW'
       from generate_series(1, 20000) number;
       insert into cell.search_term (tenant_id, kind, term, subject_id)
       select '${tenantId}', 'account', term, lpad(to_hex(number), 32, '0')::uuid
       from generate_series(1, 20000) number, unnest(array['a' || number, 'b' || number, 'word']) term;
       set session_replication_role = origin`)
  await installation.rows('vacuum (analyze) cell.refund, cell.account, cell.search_term')

  const operator: KnownOperator = {
    tenantId: '',
    userId: crypto.randomUUID(),
    userKind: 'person',
    identityId: null,
    duties: duties.map((duty) => ({ duty, offeringIds: null })),
    policies: {},
    tenantRequestsPerMinute: 1,
    proof: { type: 'token', id: '' },
    expiresAt: new Date(),
    isRevoked: false,
  }
  const after_ = { key: '2026-07-02 10:00:00+00', id: crypto.randomUUID() }
  const page = (sort: string, key = after_.key): KeysetPage => ({
    limit: 25,
    direction: 'asc',
    sort,
    after: { ...after_, key },
  })

  /** Returns the statement that a function sends. */
  async function statementOf(work: (tx: Transaction) => Promise<unknown>): Promise<Sql> {
    const sent: Sql[] = []
    const record = (statement: Sql) => void sent.push(statement)
    await work(
      recordingTransaction((statement) => {
        record(statement)
        return []
      }, record),
    )
    const [only, ...others] = sent
    assert.ok(only && others.length === 0, 'one statement')
    return only
  }

  const planOf = (statement: Sql, without?: string[]) => genericPlan(installation, statement, without)

  test('the table lists every kind of work', () => {
    assert.deepEqual(
      [...Object.keys(workIndexes), ...smallTables].toSorted(),
      workKinds.map(({ kind }) => kind).toSorted(),
    )
  })

  for (const { kind, sources } of workKinds)
    for (const [number, source] of sources.entries()) {
      const scope = () => ({ tenantId, operator, now: new Date(), offeringIds: null })
      const index = workIndexes[kind]?.[number]
      test(`GET /work/${kind}, source ${number + 1}, reads ${index ?? 'the rows of the tenant'}`, async () => {
        const key = source.since.type === 'date' ? '2026-07-02' : after_.key
        const plan = await planOf(await statementOf((tx) => selectWorkItems(tx, source, scope(), page('since', key))))
        if (!index) return assert.match(plan, /Index (Only )?Scan using (chain_signer|webhook_endpoint)_pkey/)
        assert.match(plan, new RegExp(`Index (Only )?Scan using ${index} `))
        // The cursor is part of the index condition, so no page reads the pages before it.
        assert.match(plan, /Index Cond: .*ROW\(.*\) > ROW\(/)
        assert.doesNotMatch(plan, /Sort|Seq Scan/)
      })
      test(`GET /work, ${kind}, source ${number + 1}, reads ${index ?? 'the rows of the tenant'}`, async () => {
        const plan = await planOf(await statementOf((tx) => summarizeWork(tx, source, scope())))
        if (!index) return assert.match(plan, /Index (Only )?Scan using (chain_signer|webhook_endpoint)_pkey/)
        assert.match(plan, new RegExp(`Index (Only )?Scan using ${index} `))
        assert.match(plan, /Limit/)
      })
    }

  test('POST /search reads the range of a word, and the terms of a candidate', async () => {
    const ranges = [
      { from: 'lov', to: 'low' },
      { from: 'ada', to: 'adb' },
    ]
    const statement = await statementOf((tx) => selectSubjects(tx, tenantId, { kind: 'account', ranges, limit: 5 }))
    const plan = await planOf(statement)
    assert.match(plan, /using search_term_pkey on search_term.*\n.*Index Cond: .*kind = .*term >= .*term < /)
    assert.match(
      plan,
      /using search_term_(subject|pkey) on search_term search_term_1.*\n.*Index Cond: .*term >= .*term < /,
    )
    assert.doesNotMatch(plan, /Filter: .*term/)
  })

  test('suggestions for a payment read the newest orders that await its amount, however many there are', async () => {
    const amounts = [Money.parse('12.50', 'EUR')]
    const plan = await planOf(await statementOf((tx) => selectOrdersByMissingAmount(tx, tenantId, amounts)))
    assert.match(plan, /Limit\n(.*\n){1,2}.*Backward using token_order_missing .*\n.*Index Cond: .*missing_minor = /)
    assert.match(plan, /using account_pkey on account\n.*Index Cond: .*id = token_order.account_id/)
    assert.doesNotMatch(plan, /Sort|Seq Scan/)
  })

  test('the count of blocked orders looks up the orders that it counts, and joins no others', async () => {
    const blocked = { blocker: 'wallet_missing' } as const
    const plan = await planOf(await statementOf((tx) => countOrders(tx, tenantId, blocked)), [])
    assert.match(plan, /SubPlan 1\n(.*\n){1,2}.*using token_order_\w+ on token_order\n.*id = order_blocker.order_id/)
    assert.doesNotMatch(plan, /Join/)
  })

  /** Returns the plans of POST /accounts/search for words with these numbers of terms, by statement. */
  async function namedPlans(sizes: readonly number[], filter: AccountFilter = {}) {
    // One word is one alternative; its range begins with the number.
    const q = sizes.map((_, index) => `word${index}`).join(' ')
    const sent: Sql[] = []
    const sized = ({ values }: Sql) =>
      (values as unknown[]).find(Array.isArray)?.map((from: string) => ({ size: sizes[Number(from.at(-1))] ?? 0 }))
    const tx = recordingTransaction(
      (statement) => (sent.push(statement) === 1 ? sized(statement) : []),
      (statement) => void sent.push(statement),
    )
    const wanted: KeysetPage = { ...page('id'), after: { ...after_, key: null } }
    const { isCountExact } = await selectNamedPage(tx, tenantId, { q, filter, page: wanted })
    const plans: string[] = []
    for (const statement of sent.slice(1)) plans.push(await planOf(statement, ['enable_seqscan', 'enable_bitmapscan']))
    for (const plan of plans) assert.doesNotMatch(plan, /Seq Scan/)
    return { plans, isCountExact }
  }
  const range = /using search_term_pkey on search_term.*\n.*Index Cond: .*kind = .*term >= .*term < /
  const lookup = /search_term_subject on search_term.*\n.*Index Cond: .*subject_id = .*term >= .*term < /

  test('POST /accounts/search looks up the accounts of a rare word', async () => {
    const { plans, isCountExact } = await namedPlans([10, 9_999])
    assert.equal(plans.length, 1)
    assert.match(plans[0] ?? '', range)
    assert.match(plans[0] ?? '', lookup)
    assert.equal(isCountExact, true)
  })

  test('POST /accounts/search reads all accounts of a word once, without their rows', async () => {
    const { plans, isCountExact } = await namedPlans([9_999])
    assert.equal(plans.length, 1)
    assert.match(plans[0] ?? '', range)
    assert.doesNotMatch(plans[0] ?? '', / on account/)
    assert.equal(isCountExact, true)
  })

  test('POST /accounts/search with a frequent word tests accounts in the order of the page and counts some', async () => {
    const { plans, isCountExact } = await namedPlans([99_999])
    const [count = '', ids = ''] = plans
    assert.match(ids, /using account_pkey on account.*\n.*Index Cond: .*id > .*\n.*Filter: .*SubPlan/)
    assert.match(ids, lookup)
    assert.match(count, /Limit\n(.*\n){1,2}.*using search_term_pkey on search_term/)
    assert.equal(isCountExact, false)
  })

  test('POST /accounts/search intersects the accounts of several frequent words', async () => {
    const { plans, isCountExact } = await namedPlans([9_999, 9_999])
    assert.equal(plans.length, 1)
    assert.match(plans[0] ?? '', /SetOp Intersect/)
    assert.match(plans[0] ?? '', range)
    assert.equal(isCountExact, true)
  })

  test('POST /accounts/search reads two of three frequent words, and the third if they have much in common', async () => {
    const { plans } = await namedPlans([9_999, 9_999, 9_999])
    const [found = ''] = plans
    assert.equal(plans.length, 1)
    assert.match(found, lookup)
    assert.equal(found.match(/One-Time Filter: \(+\$\d+ (<=|>) 1000/g)?.length, 3)
  })

  test('POST /accounts/search intersects the accounts of a word with the few in a state', async () => {
    const [, found = ''] = (await namedPlans([9_999], { kyc_status: ['PENDING'] })).plans
    assert.match(found, /SetOp Intersect/)
    assert.match(found, /using account_kyc on account.*\n.*Index Cond: .*kyc_status = /)
  })

  test('POST /accounts/search compares the accounts of a word with a filter until a page is full', async () => {
    const { plans } = await namedPlans([9_999], { type: 'COMPANY' })
    for (const plan of plans) {
      assert.match(plan, /SubPlan 1\n(.*\n){1,2}.*using account_\w+ on account\n.*Index Cond: .*id = named.id/)
      assert.doesNotMatch(plan, /Join/)
    }
    assert.equal(plans.length, 2)
  })

  for (const subject of ['order', 'account', 'offering'] as const satisfies readonly TimelineSubject[])
    test(`the events of the timeline of an ${subject} are one index seek`, async () => {
      const events = timelineSources.find(({ source }) => source === 'event')
      const isOfSubject = events?.of[subject]?.({ tenantId, subjectId: crypto.randomUUID() })
      assert.ok(events && isOfSubject)
      const plan = await planOf(await statementOf((tx) => selectTimelineEntries(tx, events, isOfSubject, page('at'))))
      assert.match(plan, new RegExp(`Index Cond: .*about_${subject} = .*ROW\\(.*created_at, .*id\\) > ROW\\(`))
      assert.doesNotMatch(plan, /Seq Scan/)
    })
})
