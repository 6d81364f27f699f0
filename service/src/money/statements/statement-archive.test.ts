import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { DirectOperations } from '../../../test/harness/callers/operations.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { camt053 } from '../../../test/harness/money/camt053.ts'
import { StatementWorld } from '../../../test/harness/money/statement-world.ts'
import { statementFileContext } from './statement-file.ts'

describe('statements: all entries, files, missing statements, and discarding', async () => {
  const world = await StatementWorld.create()
  after(() => world.end())
  const { installation, operator, tenant } = world

  const list = async (query: string) => {
    const { status, body, text } = await operator.get(`/statement-entries?${query}`)
    assert.equal(status, 200, text)
    return body
  }
  const amountsOf = ({ results }: { results: { amount: string }[] }) => results.map(({ amount }) => amount)
  const download = (statementId: string) => operator.download(`/statements/${statementId}/download`)

  test('the entries of all statements are listed by state, day and amount, page by page', async () => {
    const { reference } = await world.order()
    await world.importEntries([{ amount: '125.00', creditorReference: reference, bookedOn: '2026-07-01' }])
    await world.importEntries([{ amount: '11.00', bookedOn: '2026-07-03', payerIban: 'DE02120300000000202051' }])
    await world.importEntries([{ amount: '12.00', bookedOn: '2026-07-02', isDebit: true }])
    assert.deepEqual(amountsOf(await list('direction=asc')), ['125.00', '11.00', '12.00'])
    assert.deepEqual(amountsOf(await list('state=unassigned')), ['11.00'])
    assert.deepEqual(amountsOf(await list('sort=booked_on&direction=asc')), ['125.00', '12.00', '11.00'])
    assert.deepEqual(amountsOf(await list('booked_from=2026-07-02&booked_to=2026-07-02')), ['12.00'])
    assert.deepEqual(amountsOf(await list('amount_min=11.50&amount_max=125')), ['12.00', '125.00'])
    const first = await list('direction=asc&limit=2')
    assert.deepEqual([first.pagination.count, first.pagination.is_count_exact], [3, true])
    const next = new URL(first.pagination.next)
    assert.deepEqual(amountsOf(await list(next.search.slice(1))), ['12.00'])
    const [booked] = (await list('state=booked')).results
    assert.deepEqual([booked.currency, booked.payment_reference], ['EUR', reference])
    assert.equal((await world.readStatement(booked.statement_id)).id, booked.statement_id)
    const [unassigned] = (await list('state=unassigned')).results
    assert.equal(unassigned.payer_iban, 'DE02…2051')
  })

  test('an imported file is kept byte for byte, encrypted; each download is audited', async () => {
    const xml = camt053({ entries: [{ amount: '1.00', payerName: 'Zoë Müller' }], sequence: '4', opening: '1124.00' })
    const { statements } = await world.processed(await world.upload(xml))
    const [{ id }] = statements
    const response = await download(id)
    assert.equal(response.status, 200)
    assert.equal(response.text, xml)
    assert.match(response.headers.get('content-disposition') ?? '', new RegExp(`statement-${id}\\.xml`))
    const rows = await installation.rows(
      `select action, actor_id from base.audit_log where subject_id = $1 and action = 'statement.downloaded'`,
      [id],
    )
    assert.deepEqual(rows, [{ action: 'statement.downloaded', actor_id: operator.who.userId }])
    const stored = await installation.rows<{ content: Buffer }>(
      'select content from cell.statement_file where tenant_id = $1',
      [tenant.id],
    )
    assert.ok(stored.length >= 3)
    for (const { content } of stored) assert.ok(!content.toString('latin1').includes('BkToCstmrStmt'))
    await installation.rows('delete from cell.statement_file where tenant_id = $1', [tenant.id])
    assertError(await download(id), 409, 'statement_file_missing')
  })

  test('a missing statement is a finding with its numbers and amount, until it is imported', async () => {
    const findings = async (query = '') => (await operator.get(`/statement-findings${query}`)).body.results
    const file = (sequence: string, opening: string, amount: string) =>
      camt053({ entries: [{ amount }], sequence, opening, day: `2026-08-0${sequence}` })
    await world.processed(await world.upload(file('5', '1125.00', '5.00')))
    await world.processed(await world.upload(file('8', '1150.00', '1.00')))
    const [finding, ...others] = await findings()
    assert.deepEqual(others, [])
    assert.deepEqual(
      [finding.kind, finding.previous_sequence, finding.missing_from, finding.missing_to, finding.difference],
      ['missing', '5', '6', '7', '20.00'],
    )
    await world.processed(await world.upload(file('7', '1140.00', '10.00')))
    const [rest] = await findings('?is_resolved=false')
    assert.deepEqual([rest.sequence, rest.missing_from, rest.missing_to], ['7', '6', '6'])
    await world.processed(await world.upload(file('6', '1130.00', '10.00')))
    assert.deepEqual(await findings(), [])
    await world.processed(await world.upload(file('9', '2000.00', '1.00')))
    assert.deepEqual(
      (await findings()).map(({ kind }: { kind: string }) => kind),
      ['balance_differs'],
    )
  })

  test('an unbooked statement that is discarded leaves the list, and can be imported again', async () => {
    await installation.useDefaultPolicies(tenant.id, 'statement_booking')
    const xml = camt053({ entries: [{ amount: '3.00' }], sequence: '10', opening: '2001.00', day: '2026-08-10' })
    const [{ id }] = (await world.upload(xml)).body.statements
    const waiting = async () => (await operator.get('/statements?waits_for_booking=true')).body.results
    assert.equal((await waiting()).length, 1)
    const proposal = await operator.post(`/statements/${id}/book`)
    const second = await installation.createOperator(tenant.id)
    const { approval_id: approvalId } = proposal.body
    const rejected = await world.operatorApi.call('POST', `/approvals/${approvalId}/reject`, { cookie: second.cookie })
    assert.equal(rejected.status, 200, rejected.text)
    const discarded = await operator.post(`/statements/${id}/discard`, { reason: 'not from the bank' })
    assert.deepEqual([discarded.status, discarded.body.entries, discarded.body.pending], [200, 0, 0], discarded.text)
    assert.deepEqual(await waiting(), [])
    assertError(await operator.post(`/statements/${id}/book`), 409, 'statement_not_waiting')
    const again = (await world.upload(xml)).body
    assert.deepEqual([again.is_new, again.entries_new], [true, 1])
    const [bookable] = again.statements
    assert.equal((await operator.postTogether(`/statements/${bookable.id}/book`)).status, 200)
    assertError(
      await operator.post(`/statements/${bookable.id}/discard`, { reason: 'late' }),
      409,
      'statement_not_waiting',
    )
  })

  test("a stored file that was changed is not shown as the bank's, even if sealed with the right key", async () => {
    const xml = camt053({ entries: [{ amount: '1.00' }], sequence: '11', day: '2026-08-11' })
    const [{ id }] = (await world.upload(xml)).body.statements
    assert.equal((await download(id)).text, xml)
    const changed = Buffer.from(xml.replace('1.00', '9.00')).toString('base64')
    const fileHash = createHash('sha256').update(xml).digest()
    const direct = new DirectOperations(installation, tenant.id)
    const content = await direct.write((tx) => direct.vaultOf(tx).seal(changed, statementFileContext(fileHash, 0)))
    const changedRows = await installation.rows(
      'update cell.statement_file set content = $3 where tenant_id = $1 and file_hash = $2 returning 1',
      [tenant.id, fileHash, content],
    )
    assert.equal(changedRows.length, 1)
    assertError(await download(id), 500, 'internal_error')
  })
})
