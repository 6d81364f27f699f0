import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { OperatorClient } from '../../../test/harness/callers/operator-client.ts'
import { Fixtures } from '../../../test/harness/data/fixtures.ts'
import { assertError } from '../../../test/harness/installation/api-client.ts'
import { sharedInstallation } from '../../../test/harness/installation/shared-installation.ts'
import { type CamtStatement, camt053, importDirectly } from '../../../test/harness/money/camt053.ts'
import { pluck } from '../../../test/harness/pluck.ts'
import { continuitiesOf } from './statement-continuity.ts'

describe('statements of an account follow each other', async () => {
  const installation = await sharedInstallation()
  after(() => installation.end())
  const operatorApi = await installation.startOperatorApi()
  let tenantId: string
  let operator: OperatorClient

  beforeEach(async () => {
    tenantId = await installation.createTenant('T')
    await new Fixtures(installation).offering(tenantId)
    operator = await OperatorClient.create(installation, operatorApi, tenantId)
  })

  /** A statement of one day in July with one credit. */
  const ofDay = (day: number, opening: string, amount: string, change: Partial<CamtStatement> = {}): CamtStatement => ({
    id: `D${day}`,
    sequence: String(day),
    day: `2026-07-0${day}`,
    opening,
    entries: [{ amount, bankReference: `${day} ${amount}` }],
    ...change,
  })
  const importAll = (...statements: CamtStatement[]) => importDirectly(installation, tenantId, camt053({ statements }))
  const list = async (query = '') => {
    const { results } = (await operator.get(`/statements?direction=asc&limit=50${query}`)).body
    return results.map((one: Record<string, string>) =>
      [one['bank_id'], one['continuity'], one['expected_opening_balance']].filter(Boolean).join(' '),
    )
  }

  test('a missing statement is a gap that operators see; importing it closes the gap', async () => {
    await importAll(ofDay(1, '100.00', '10.00'))
    await importAll(ofDay(3, '130.00', '30.00'))
    assert.deepEqual(await list(), ['D1 first', 'D3 gap 110.00'])
    assert.deepEqual(await list('&needs_attention=true'), ['D3 gap 110.00'])
    assert.deepEqual(await list('&needs_attention=false'), ['D1 first'])
    const { statements } = await importAll(ofDay(2, '110.00', '20.00'))
    assert.equal(statements[0].continuity, 'ok')
    assert.deepEqual(await list(), ['D1 first', 'D3 ok', 'D2 ok'])
    assert.deepEqual(await list('&needs_attention=true'), [])
  })

  test('files that arrive in reverse order end up without a gap', async () => {
    for (const statement of [ofDay(3, '130.00', '1.00'), ofDay(2, '110.00', '20.00'), ofDay(1, '100.00', '10.00')])
      await importAll(statement)
    assert.deepEqual(await list(), ['D3 ok', 'D2 ok', 'D1 first'])
  })

  test('several statements in one file, in any order, are compared too', async () => {
    const { statements } = await importAll(ofDay(2, '110.00', '20.00'), ofDay(1, '100.00', '10.00'))
    assert.deepEqual(pluck(statements, 'continuity'), ['ok', 'first'])
  })

  test('a statement in another currency, and one that repeats known entries, are no gap', async () => {
    await new Fixtures(installation).offering(tenantId, { currency: 'USD' })
    const first = ofDay(1, '100.00', '10.00')
    await importAll(first)
    await importAll(ofDay(2, '7.00', '21.00', { id: 'U2', currency: 'USD' }))
    // It repeats the first day, and its date is between the other two.
    await importAll({ ...first, id: 'M', day: '2026-07-03', sequence: '1' })
    await importAll(ofDay(3, '130.00', '30.00'))
    await importAll(ofDay(2, '110.00', '20.00'))
    assert.deepEqual(await list(), ['D1 first', 'U2 first', 'M ok', 'D3 ok', 'D2 ok'])
  })

  test('an operator resolves a gap that no missing statement explains, once and audited', async () => {
    const [{ id: first }] = (await importAll(ofDay(1, '100.00', '10.00'))).statements
    const [{ id }] = (await importAll(ofDay(3, '130.00', '30.00'))).statements
    const resolve = (statementId: string, resolution: string) =>
      operator.post(`/statements/${statementId}/resolve-gap`, { resolution })
    assertError(await resolve(first, 'no'), 409, 'statement_gap_not_resolvable')
    assertError(await resolve(crypto.randomUUID(), 'no'), 404, 'not_found')
    const resolved = await resolve(id, 'the bank moved the account')
    assert.deepEqual([resolved.status, resolved.body.gap_resolution], [200, 'the bank moved the account'])
    assert.equal((await resolve(id, 'again')).text, resolved.text)
    assert.deepEqual(await list('&needs_attention=true'), [])
    const audited = (await operator.get(`/audit?subject_id=${id}`)).body.results
    assert.deepEqual(pluck(audited, 'action'), ['statement.gap_resolved', 'statement.imported'])
    // Another gap before the same statement is a new finding.
    await importAll(ofDay(2, '110.00', '5.00'))
    assert.deepEqual(await list('&needs_attention=true'), ['D3 gap 115.00'])
  })

  test('statements of a day without numbers are put in order by their balances', () => {
    const one = (id: string, openingBalance: string, closingBalance: string) => ({ id, openingBalance, closingBalance })
    const stateOf = (...args: Parameters<typeof continuitiesOf>) =>
      continuitiesOf(...args).map(([id, found]) => `${id} ${found.continuity}`)
    const [noon, evening] = [one('noon', '1', '2'), one('evening', '2', '3')]
    assert.deepEqual(stateOf([evening, noon], []), ['evening ok', 'noon first'])
    assert.deepEqual(stateOf([evening, noon], [one('y', '0', '1')]), ['evening ok', 'noon ok'])
    assert.deepEqual(stateOf([evening, noon], [one('y', '0', '9')]), ['evening ok', 'noon gap'])
    // It moved nothing, so it does not explain why the other statement does not begin with yesterday's balance.
    assert.deepEqual(stateOf([one('empty', '1', '1'), noon], [one('y', '0', '9')]), ['empty gap', 'noon gap'])
    assert.deepEqual(stateOf([one('empty', '1', '1'), noon], []), ['empty first', 'noon ok'])
  })
})
