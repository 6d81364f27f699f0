import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OperatorClient } from '../../../../test/harness/callers/operator-client.ts'
import { newOffering } from '../../../../test/harness/data/bodies.ts'
import { draftDefaults, invalidTerms } from '../../../../test/harness/data/offering-terms.ts'
import { createTenantAndOperator } from '../../../../test/harness/data/tenant-and-operator.ts'
import { assertError, assertInvalid } from '../../../../test/harness/installation/api-client.ts'
import { useSharedApis } from '../../../../test/harness/installation/running-installation.ts'
import { pluck } from '../../../../test/harness/pluck.ts'
import { competeFor } from '../../../../test/harness/wait.ts'

const { collection_account: collectionAccount, ...withoutAccount } = newOffering

describe('offerings in the operator API', async () => {
  const { installation, operatorApi: api, tenant, operator } = await createTenantAndOperator(await useSharedApis())

  const draft = async (change: object = {}): Promise<string> => {
    const response = await operator.post('/offerings', { ...newOffering, ...change })
    assert.equal(response.status, 201, response.text)
    return response.body.id
  }
  const eventsOf = (offeringId: string) =>
    installation.rows(
      `select type, scope, data from cell.event_outbox where data ->> 'offering_id' = $1 order by insertion`,
      [offeringId],
    )
  const auditOf = async (subjectId: string) =>
    (await operator.get(`/audit?subject_id=${subjectId}&direction=asc`)).body.results

  test('a draft has the members that were sent, and defaults for the others', async () => {
    const response = await operator.post('/offerings', withoutAccount)
    assert.equal(response.status, 201)
    assert.equal(response.headers.get('location'), `${api.baseUrl}/operator/offerings/${response.body.id}`)
    const { id, created_at: createdAt, ...rest } = response.body
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
    assert.deepEqual(rest, {
      ...withoutAccount,
      price_per_token: '12.5',
      ...draftDefaults,
    })
    assert.deepEqual((await operator.get(`/offerings/${id}`)).body, response.body)
    assertError(await tenant.get(`/offerings/${id}`), 404, 'not_found')
  })

  test('every member is returned as it was sent', async () => {
    const terms = {
      ...newOffering,
      price_per_token: '0.000000000000000000000000000001',
      total_units: String(2n ** 200n),
      decimals: 18,
      min_units: '1',
      max_units: '9'.repeat(30),
      opens_at: '2026-07-02T12:00:00+02:00',
      closes_at: '2026-12-31T23:59:59.999Z',
      payment_term_days: 365,
      payment_tolerance: '1.5',
      names: { ar: 'سند', de: 'Hafenanleihe', en: 'Harbour Bond', es: 'Bono', fr: 'Obligation' },
      logo: 'data:image/png;base64,AAAA',
      approval_required: true,
      acceptance_required: true,
    }
    const { body } = await operator.post('/offerings', terms)
    for (const [name, value] of Object.entries({ ...terms, opens_at: '2026-07-02T10:00:00.000Z' }))
      assert.deepEqual(body[name], value, name)
  })

  for (const [pointer, change] of invalidTerms)
    test(`${JSON.stringify(change).slice(0, 90)} is 400 at ${pointer}, in a new draft and in a change`, async () => {
      const created = await operator.post('/offerings', { ...newOffering, ...change })
      const changed = await operator.patch(`/offerings/${await draft()}`, change)
      for (const response of [created, changed]) {
        assertInvalid(response)
        assert.ok(
          response.body.error.errors.some((failure: { pointer: string }) => failure.pointer === pointer),
          response.text,
        )
      }
    })

  test('a change keeps members that are not sent, null removes a value, and the audit log names bank data without its value', async () => {
    const id = await draft({ min_units: '10', names: { de: 'Alt' }, opens_at: '2026-07-02T10:00:00.000Z' })
    const asDrafted = (await operator.get(`/offerings/${id}`)).body
    const changed = await operator.patch(`/offerings/${id}`, {
      price_per_token: '13',
      min_units: null,
      names: { fr: 'Nouveau' },
      collection_account: { ...collectionAccount, iban: 'DE02120300000000202051' },
    })
    assert.deepEqual(changed.body, {
      ...asDrafted,
      price_per_token: '13',
      min_units: null,
      names: { fr: 'Nouveau' },
      collection_account: { ...collectionAccount, iban: 'DE02120300000000202051' },
    })
    const [drafted, change, ...others] = await auditOf(id)
    assert.deepEqual(others, [])
    assert.equal(drafted.action, 'offering.drafted')
    assert.deepEqual(
      [change.action, change.before, change.after],
      [
        'offering.changed',
        { min_units: '10', names: { de: 'Alt' }, price_per_token: '12.5' },
        { min_units: null, names: { fr: 'Nouveau' }, price_per_token: '13', changed: ['collection_account'] },
      ],
    )
    assert.doesNotMatch(JSON.stringify([drafted, change]), /DE89|DE02|Harbour Issuer/)
  })

  test('a change without effect is not audited', async () => {
    const id = await draft()
    for (const body of [{}, { price_per_token: '12.500' }, { collection_account: { ...collectionAccount } }])
      assert.equal((await operator.patch(`/offerings/${id}`, body)).status, 200)
    assert.equal((await auditOf(id)).length, 1)
  })

  test('two concurrent changes are both applied: the second waits for the first', async () => {
    const id = await draft()
    const responses = await competeFor(installation, { table: 'cell.offering', id }, () => [
      operator.patch(`/offerings/${id}`, { name: 'One' }),
      operator.patch(`/offerings/${id}`, { symbol: 'TWO' }),
    ])
    assert.deepEqual(pluck(responses, 'status'), [200, 200])
    const { name, symbol } = (await operator.get(`/offerings/${id}`)).body
    assert.deepEqual([name, symbol], ['One', 'TWO'])
  })

  test('opening makes the offering the newest in the list, records one event, and has no effect twice', async () => {
    const id = await draft()
    const count = (await tenant.get('/offerings')).body.pagination.count
    const opened = await operator.post(`/offerings/${id}/open`)
    assert.deepEqual([opened.status, opened.body.status], [200, 'OPEN'])
    assert.ok(Math.abs(Date.parse(opened.body.opened_at) - Date.now()) < 60_000)
    assert.deepEqual((await operator.post(`/offerings/${id}/open`)).body, opened.body)
    const { pagination, results } = (await tenant.get('/offerings')).body
    assert.deepEqual([pagination.count, results[0].id], [count + 1, id])
    const data = { offering_id: id, status: 'OPEN', previous_status: 'DRAFT' }
    assert.deepEqual(await eventsOf(id), [{ type: 'offering.opened', scope: 'offering.read', data }])
    assert.deepEqual(pluck(await auditOf(id), 'action'), ['offering.drafted', 'offering.opened'])
  })

  test('eight concurrent requests open a draft once', async () => {
    const id = await draft()
    const count = (await tenant.get('/offerings')).body.pagination.count
    const responses = await competeFor(installation, { table: 'cell.offering', id }, () =>
      Array.from({ length: 8 }, () => operator.post(`/offerings/${id}/open`)),
    )
    assert.equal(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size, 1)
    assert.equal((await tenant.get('/offerings')).body.pagination.count, count + 1)
    assert.equal((await eventsOf(id)).length, 1)
  })

  test('a draft without a collection account in its currency is not opened, and the error names the reason', async () => {
    const without = await draft({ collection_account: null })
    const response = await operator.post(`/offerings/${without}/open`)
    assertError(response, 409, 'offering_incomplete')
    assert.match(response.body.error.message, /collection_account/)
    const foreign = await draft({ currency: 'USD' })
    const mismatch = await operator.post(`/offerings/${foreign}/open`)
    assertError(mismatch, 409, 'offering_incomplete')
    assert.match(mismatch.body.error.message, /EUR.*USD/)
    assert.equal((await operator.patch(`/offerings/${foreign}`, { currency: 'EUR' })).status, 200)
    assert.equal((await operator.post(`/offerings/${foreign}/open`)).status, 200)
    assert.deepEqual(await eventsOf(without), [])
  })

  test('an open offering cannot be changed, a closed one cannot be opened, and a draft cannot be closed', async () => {
    const id = await draft()
    assertError(await operator.post(`/offerings/${id}/close`), 409, 'offering_not_opened')
    await operator.post(`/offerings/${id}/open`)
    assertError(await operator.patch(`/offerings/${id}`, { name: 'Other' }), 409, 'offering_not_draft')
    const closed = await operator.post(`/offerings/${id}/close`)
    assert.deepEqual([closed.status, closed.body.status], [200, 'CLOSED'])
    assert.deepEqual((await operator.get(`/offerings/${id}`)).body, closed.body)
    assert.deepEqual((await operator.post(`/offerings/${id}/close`)).body, closed.body)
    assertError(await operator.post(`/offerings/${id}/open`), 409, 'offering_not_draft')
    assertError(await operator.patch(`/offerings/${id}`, {}), 409, 'offering_not_draft')
    assert.deepEqual(
      (await eventsOf(id)).map(({ data }) => [data.status, data.previous_status]),
      [
        ['OPEN', 'DRAFT'],
        ['CLOSED', 'OPEN'],
      ],
    )
    assert.equal((await auditOf(id)).length, 3)
    assert.equal((await tenant.get(`/offerings/${id}`)).body.status, 'CLOSED')
  })

  test('the list has offerings of every status, newest first, and can be filtered by status', async () => {
    const other = await OperatorClient.create(installation, api, await installation.createTenant('List'))
    const ids: string[] = []
    for (let count = 0; count < 12; count++) {
      const { id } = (await other.post('/offerings', newOffering)).body
      ids.push(id)
      if (count % 3 > 0) await other.post(`/offerings/${id}/open`)
      if (count % 3 > 1) await other.post(`/offerings/${id}/close`)
    }
    const idsAt = async (query: string) => pluck((await other.get(`/offerings${query}`)).body.results, 'id')
    assert.deepEqual(await idsAt('?limit=50'), ids.toReversed())
    const first = (await other.get('/offerings?limit=10&direction=asc')).body
    assert.deepEqual(await idsAt(new URL(first.pagination.next).search), ids.slice(10))
    assert.deepEqual(
      await idsAt('?status=DRAFT,CLOSED&direction=asc'),
      ids.filter((_, index) => index % 3 !== 1),
    )
    for (const [index, status] of ['DRAFT', 'OPEN', 'CLOSED'].entries()) {
      const { pagination, results } = (await other.get(`/offerings?status=${status}`)).body
      assert.equal(pagination.count, 4)
      for (const offering of results) assert.equal(offering.status, status)
      assert.equal(results[0].id, ids[9 + index])
    }
    assertInvalid(await other.get('/offerings?status=UNKNOWN'))
  })

  test('two requests with the same idempotency key create one draft', async () => {
    const key = crypto.randomUUID()
    const [one, other] = [
      await operator.post('/offerings', newOffering, key),
      await operator.post('/offerings', newOffering, key),
    ]
    assert.equal(one.text, other.text)
    assert.equal(other.headers.get('idempotency-replayed'), 'true')
    assert.equal((await auditOf(one.body.id)).length, 1)
  })

  test('a rejected write leaves no event and no audit record', async () => {
    const id = await draft({ collection_account: null })
    const events = await eventsOf(id)
    await operator.post(`/offerings/${id}/open`)
    await operator.patch(`/offerings/${id}`, { min_units: '5', max_units: '4' })
    assert.deepEqual(await eventsOf(id), events)
    assert.equal((await auditOf(id)).length, 1)
  })
})
