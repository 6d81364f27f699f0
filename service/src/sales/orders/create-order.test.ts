import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { company } from '../../../test/harness/data/bodies.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { assertError, assertInvalid } from '../../../test/harness/installation/api-client.ts'
import { useSharedApis } from '../../../test/harness/installation/running-installation.ts'

describe('POST /offerings/:offeringId/orders', async () => {
  const { installation, api } = await useSharedApis()
  const tenant = await TestTenant.create(installation, api)
  const accountId = await tenant.account()
  const offeringId = await tenant.fixtures.offering(tenant.id)

  const order = (body: unknown, offering = offeringId) => tenant.post(`/offerings/${offering}/orders`, body)

  test('R136, R139, R115 to R125, R130: 201 with the order, ORDERED and unpaid, also for a NEW account', async () => {
    const response = await order({ account_id: accountId, units: '1000000000' })
    assert.equal(response.status, 201, response.text)
    const { id, created_at, ...rest } = response.body
    assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(rest, {
      units: '1000000000',
      total_amount: 125,
      payment_provider: null,
      paid_at: null,
      paid_amount: 0,
      currency: 'EUR',
      status: 'ORDERED',
      account: { id: accountId, full_name: 'Ada Lovelace', email: 'ada@example.com', type: 'INDIVIDUAL' },
      offering: {
        id: offeringId,
        name: 'Harbour Bond',
        symbol: 'HARB',
        blockchain: 'ethereum',
        tokenization_platform: 'permissioned-token',
        decimals: 8,
        type: 'DEBT_TOKENIZED',
        price_per_token: '12.5',
      },
      payment_bank_account: {
        account_holder: 'Harbour Issuer GmbH',
        bank: 'Testbank',
        bic: 'COBADEFFXXX',
        iban: 'DE89370400440532013000',
        currency: 'EUR',
      },
    })
    assert.equal(response.headers.get('location'), `${api.baseUrl}/api/offerings/${offeringId}/orders/${id}`)
    const read = await tenant.get(`/offerings/${offeringId}/orders/${id}`)
    assert.equal(read.text, response.text)
  })

  test('R136, Q048: account_id and units are required; payment_provider is optional and may be null', async () => {
    for (const body of [{ units: '1' }, { account_id: accountId }, {}, { account_id: 'x', units: '1' }])
      assertInvalid(await order(body))
    for (const provider of ['bank_transfer', 'stripe', 'checkout', 'tokensale']) {
      const response = await order({ account_id: accountId, units: '1', payment_provider: provider })
      assert.equal(response.body.payment_provider, provider)
    }
    const response = await order({ account_id: accountId, units: '1', payment_provider: null })
    assert.deepEqual([response.status, response.body.payment_provider], [201, null])
    for (const provider of ['paypal', ''])
      assertInvalid(await order({ account_id: accountId, units: '1', payment_provider: provider }))
  })

  test('Q023, Q048: unknown members are ignored, but not a name that could change an object', async () => {
    const extra = { id: crypto.randomUUID(), status: 'MINTED', total_amount: 0, reference: { 'our id': [1, null] } }
    const response = await order({ ...extra, account_id: accountId, units: '1000000000' })
    assert.equal(response.status, 201, response.text)
    assert.deepEqual([response.body.status, response.body.total_amount], ['ORDERED', 125])
    assert.notEqual(response.body.id, extra.id)
    assert.ok(!('reference' in response.body))
    const text = JSON.stringify({ account_id: accountId, units: '1' }).replace('{', '{"__proto__":{},')
    assertInvalid(await order(text))
  })

  test('R137, R116, Q050: units is a string of digits from 1 to 2^256 - 1', async () => {
    const invalid = [
      1,
      '1.0',
      '1e3',
      '-1',
      '+1',
      '',
      ' 1',
      '1 ',
      '１',
      '0',
      '007',
      '0x1',
      String(2n ** 256n),
      '9'.repeat(79),
      null,
    ]
    for (const units of invalid) assertInvalid(await order({ account_id: accountId, units }))
    // 2^256 - 1 has a valid format, but its total has too many digits.
    assertInvalid(await order({ account_id: accountId, units: String(2n ** 256n - 1n) }))
    const cheap = await tenant.fixtures.offering(tenant.id, {
      price_per_token: `0.${'0'.repeat(49)}1`,
      decimals: 18,
      total_units: String(2n ** 256n - 1n),
    })
    const bigUnits = '123456789012345678901234567'
    const response = await order({ account_id: accountId, units: bigUnits }, cheap)
    assert.equal(response.body.units, bigUnits)
    assertError(await order({ account_id: accountId, units: String(2n ** 256n - 1n) }, cheap), 409, 'offering_sold_out')
  })

  test('Q111, Q119: units above 2^256 - 1 are 400 with a used key, and before the offering is read', async () => {
    const path = `/offerings/${offeringId}/orders`
    const key = crypto.randomUUID()
    assert.equal((await tenant.post(path, { account_id: accountId, units: '1' }, key)).status, 201)
    assertInvalid(await tenant.post(path, { account_id: accountId, units: String(2n ** 256n) }, key))
    const body = { account_id: accountId, units: String(2n ** 256n) }
    assertInvalid(await order(body, crypto.randomUUID()))
  })

  test('R253: units above 2^53 are returned exactly, in every schema', async () => {
    const units = '123456789012345678901234567890'
    const big = await tenant.fixtures.offering(tenant.id, {
      price_per_token: `0.${'0'.repeat(39)}1`,
      decimals: 18,
      total_units: '9'.repeat(60),
    })
    const id = await tenant.order(big, accountId, units)
    assert.equal((await tenant.get(`/offerings/${big}/orders/${id}`)).body.units, units)
    assert.equal((await tenant.get(`/offerings/${big}/orders`)).body.results[0].units, units)
    assert.equal((await tenant.get(`/accounts/${accountId}/orders`)).body.results[0].units, units)
  })

  for (const [decimals, price, currency, units, total] of [
    [8, '12.50', 'EUR', '1000000000', 125],
    [0, '12.50', 'EUR', '10', 125],
    [18, '12.50', 'EUR', '10000000000000000000', 125],
    [2, '1.005', 'EUR', '100', 1.01], // half up; floating point would give 1.00
    [2, '0.005', 'EUR', '100', 0.01],
    [2, '0.0049', 'EUR', '100', 0.01], // rounds to nothing: one minor unit
    [8, '12.5', 'EUR', '39999', 0.01],
    [8, '12.5', 'EUR', '1', 0.01],
    [0, '0.4', 'JPY', '1', 1],
    [8, '0', 'EUR', '1000000000', 0],
    [0, '0.1', 'EUR', '3', 0.3],
    [0, '1.5', 'JPY', '1', 2],
    [0, '1.4', 'JPY', '1', 1],
    [0, '1.0005', 'KWD', '1', 1.001],
    [0, '1', 'EUR', '9999999999999', 9_999_999_999_999],
  ] as const)
    test(`R117, R254, Q054: ${units} units at ${price} ${currency}, ${decimals} decimals, cost ${total}`, async () => {
      const offering = await tenant.fixtures.offering(tenant.id, {
        decimals,
        price_per_token: price,
        currency,
        total_units: units,
      })
      const response = await order({ account_id: accountId, units }, offering)
      assert.equal(response.body.total_amount, total)
      assert.equal(response.body.currency, currency)
    })

  test('Q054: an order whose total has more than 15 digits is rejected', async () => {
    const offering = await tenant.fixtures.offering(tenant.id, {
      decimals: 0,
      price_per_token: '1',
      total_units: '9'.repeat(13),
    })
    // An operator cannot create an offering this expensive, but an older release could.
    await installation.rows('update cell.offering set total_units = total_units * 1000 where id = $1', [offering])
    assert.equal(
      (await order({ account_id: accountId, units: '9'.repeat(13) }, offering)).body.total_amount,
      9_999_999_999_999,
    )
    assertInvalid(await order({ account_id: accountId, units: `1${'0'.repeat(13)}` }, offering), '/units')
  })

  test('R138, Q049: two requests create two orders, or one order if they have the same key', async () => {
    const body = { account_id: accountId, units: '7' }
    const path = `/offerings/${offeringId}/orders`
    const without = () => api.call('POST', path, { token: tenant.token, body })
    assert.notEqual((await without()).body.id, (await without()).body.id)
    const key = crypto.randomUUID()
    const [one, other] = [await tenant.post(path, body, key), await tenant.post(path, body, key)]
    assert.equal(one.text, other.text)
    assert.equal(other.headers.get('idempotency-replayed'), 'true')
    assert.equal(other.headers.get('location'), one.headers.get('location'))
  })

  test('R140: an unknown account is 400 with a pointer to account_id, an unknown offering is 404', async () => {
    assertInvalid(await order({ account_id: crypto.randomUUID(), units: '1' }), '/account_id')
    assertError(await order({ account_id: accountId, units: '1' }, crypto.randomUUID()), 404, 'not_found')
    const draft = await tenant.fixtures.offering(tenant.id, { status: 'DRAFT' })
    assertError(await order({ account_id: accountId, units: '1' }, draft), 404, 'not_found')
  })

  test('Q051: 400 outside min_units and max_units, 409 above the available units; neither reserves', async () => {
    const offering = await tenant.fixtures.offering(tenant.id, { total_units: '100', min_units: '10', max_units: '60' })
    for (const units of ['9', '61']) {
      const response = await order({ account_id: accountId, units }, offering)
      assertInvalid(response)
      assert.match(response.body.error.message, units === '9' ? /at least 10/ : /at most 60/)
    }
    assert.equal((await order({ account_id: accountId, units: '60' }, offering)).status, 201)
    assertError(await order({ account_id: accountId, units: '41' }, offering), 409, 'offering_sold_out')
    assert.equal((await tenant.get(`/offerings/${offering}`)).body.available_units, '40')
    assert.equal((await order({ account_id: accountId, units: '40' }, offering)).status, 201)
    assert.equal((await tenant.get(`/offerings/${offering}`)).body.available_units, '0')
  })

  test('Q051: an offering that is closed, before opens_at or after closes_at is 409 not open', async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    const earlier = new Date(Date.now() - 3_600_000).toISOString()
    for (const change of [{ status: 'CLOSED' }, { opens_at: soon }, { closes_at: earlier }]) {
      const offering = await tenant.fixtures.offering(tenant.id, change)
      assertError(await order({ account_id: accountId, units: '1' }, offering), 409, 'offering_not_open')
    }
    const onSale = await tenant.fixtures.offering(tenant.id, { opens_at: earlier, closes_at: soon })
    assert.equal((await order({ account_id: accountId, units: '1' }, onSale)).status, 201)
  })

  test('Q052: an offering that requires approval checks kyc of individuals and kyb of companies', async () => {
    const offering = await tenant.fixtures.offering(tenant.id, { approval_required: true })
    const companyId = await tenant.account(company)
    const personId = await tenant.account()
    for (const [id, right, wrong] of [
      [personId, 'kyc', 'kyb'],
      [companyId, 'kyb', 'kyc'],
    ] as const) {
      await tenant.patch(`/accounts/${id}`, { [wrong]: { status: 'APPROVED' } })
      assertError(await order({ account_id: id, units: '1' }, offering), 409, 'account_not_approved')
      await tenant.patch(`/accounts/${id}`, { [right]: { status: 'APPROVED' } })
      assert.equal((await order({ account_id: id, units: '1' }, offering)).status, 201)
    }
  })

  test('R141: a new order is first in both lists and raises both counts by one', async () => {
    const counts = async () => [
      (await tenant.get(`/offerings/${offeringId}/orders`)).body.pagination.count,
      (await tenant.get(`/accounts/${accountId}/orders`)).body.pagination.count,
    ]
    const [ofOffering, ofAccount] = await counts()
    const id = await tenant.order(offeringId, accountId)
    assert.deepEqual(await counts(), [ofOffering + 1, ofAccount + 1])
    assert.equal((await tenant.get(`/offerings/${offeringId}/orders`)).body.results[0].id, id)
    assert.equal((await tenant.get(`/accounts/${accountId}/orders`)).body.results[0].id, id)
  })

  test('price, total, currency and bank account of an order do not change when the offering changes', async () => {
    const offering = await tenant.fixtures.offering(tenant.id)
    const id = await tenant.order(offering, accountId)
    const first = (await tenant.get(`/offerings/${offering}/orders/${id}`)).body
    await installation.rows(
      `update cell.offering set price_per_token = 99, currency = 'USD',
           collection_account = jsonb_set(collection_account, '{iban}', '"XX00"') where id = $1`,
      [offering],
    )
    const now = (await tenant.get(`/offerings/${offering}/orders/${id}`)).body
    assert.deepEqual({ ...now, offering: first.offering }, first)
  })
})
