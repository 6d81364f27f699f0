import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { company, individual, taxInformation } from '../../../test/harness/data/bodies.ts'
import { TestTenant } from '../../../test/harness/data/tenant.ts'
import { assertError, assertInvalid } from '../../../test/harness/installation/api-client.ts'
import { TestInstallation } from '../../../test/harness/installation/test-installation.ts'

describe('the members of an account', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const api = await installation.startApiProcess()
  const { token } = await TestTenant.create(installation, api)

  /** Sends a string as the raw body. */
  const create = (body: unknown, running = api) =>
    running.call('POST', '/accounts', { token, body, headers: { 'x-idempotency-key': crypto.randomUUID() } })
  const accountCount = async () => (await api.call('GET', '/accounts', { token })).body.pagination.count as number
  const individualWith = (change: object) => ({ ...individual, individual: { ...individual.individual, ...change } })
  const companyWith = (change: object) => ({ ...company, company: { ...company.company, ...change } })

  /** Replaces one member of the body by raw text, which may be JSON that JSON.stringify does not produce. */
  const withRaw = (member: string, raw: string) =>
    JSON.stringify(individualWith({ [member]: 'HERE' })).replace('"HERE"', () => raw)

  async function assertRejected(body: unknown, pointer: string): Promise<void> {
    const response = await create(body)
    assertInvalid(response)
    const pointers = response.body.error.errors.map((failure: { pointer: string }) => failure.pointer)
    assert.deepEqual(pointers.includes(pointer), true, `${pointer} is not in the errors: ${response.text}`)
  }

  test('R010, Q008: a country is any two capital letters, returned unchanged', async () => {
    for (const [pointer, bodyWith] of [
      ['/individual/country', (country: string) => individualWith({ country })],
      ['/individual/citizenship', (citizenship: string) => individualWith({ citizenship })],
      ['/company/country', (country: string) => companyWith({ country })],
      [
        '/bank_account/country',
        (country: string) => ({ ...individual, bank_account: { ...individual.bank_account, country } }),
      ],
    ] as const) {
      for (const country of ['DE', 'FR', 'XK', 'ZZ']) {
        const response = await create(bodyWith(country))
        assert.equal(response.status, 201, response.text)
        const [, object = '', member = ''] = pointer.split('/')
        assert.equal(response.body[object][member], country)
      }
      for (const country of ['D', 'DEU', '', 'de', 'D1', 'De', 'ＤＥ', ' DE', 'DE\n'])
        await assertRejected(bodyWith(country), pointer)
    }
  })

  test('R011, Q012: a date is a calendar day, returned unchanged in any time zone of the server', async () => {
    for (const TZ of ['Pacific/Kiritimati', 'America/Los_Angeles']) {
      const otherApi = await installation.startApiProcess({ TZ })
      for (const day of ['2024-02-29', '1985-12-10', '0001-01-01', '9999-12-31', '2000-02-29', '1893-04-01']) {
        const one = await create(individualWith({ birth_date: day }), otherApi)
        assert.deepEqual([one.status, one.body.individual?.birth_date], [201, day])
        const read = await otherApi.call('GET', `/accounts/${one.body.id}`, { token })
        assert.equal(read.body.individual.birth_date, day)
        const other = await create(companyWith({ incorporation_date: day }), otherApi)
        assert.deepEqual([other.status, other.body.company?.incorporation_date], [201, day])
      }
    }
    for (const day of [
      '2023-02-29',
      '2024-13-01',
      '2024-00-10',
      '2024-04-31',
      '2024-1-1',
      '20240101',
      '01.01.2024',
      '2024-02-29T00:00:00Z',
      '',
      '1900-02-29',
      '0000-01-01',
      '-001-01-01',
      '10000-01-01',
      ' 2024-02-29',
      '2024-02-29\n',
    ]) {
      await assertRejected(individualWith({ birth_date: day }), '/individual/birth_date')
      await assertRejected(companyWith({ incorporation_date: day }), '/company/incorporation_date')
    }
  })

  test('R013, Q010: text is returned unchanged, in the response and in later reads', async () => {
    for (const text of [
      ' Zoë 😀\n',
      '"\'\\`<script>',
      '\t\r\n',
      ' ',
      'e\u0301 is not é',
      '\u202eright to left\u200b',
      '\u{10ffff}\uffff\u0001',
      'true',
      '{"a":1}',
      "'; drop table cell.account; --",
    ]) {
      const created = await create(individualWith({ firstName: text, lastName: text }))
      assert.equal(created.body.individual?.firstName, text, created.text)
      const read = await api.call('GET', `/accounts/${created.body.id}`, { token })
      assert.deepEqual(read.body, created.body)
      const bank = { ...individual.bank_account, account_holder: text, bank: text }
      const encrypted = await create({ ...individual, bank_account: bank })
      assert.deepEqual(encrypted.body.bank_account, bank)
    }
  })

  test('R014, Q011: text that the database cannot store is 400, and no body causes a 5xx', async () => {
    const earlier = await accountCount()
    for (const [what, body] of Object.entries({
      NUL: withRaw('firstName', '"a\\u0000b"'),
      'a high surrogate alone': withRaw('firstName', '"\\ud800"'),
      'a low surrogate alone': withRaw('firstName', '"a\\udc00b"'),
      'surrogates in the wrong order': withRaw('firstName', '"\\udc00\\ud800"'),
      'a number of 60,000 digits': withRaw('firstName', '9'.repeat(60_000)),
      'a number larger than any double': withRaw('firstName', '1e400'),
      'year 0000': withRaw('birth_date', '"0000-01-01"'),
      __proto__: JSON.stringify(individual).replace('{', '{"__proto__":{"type":"COMPANY"},'),
      'a nested __proto__': withRaw('firstName', '"a","__proto__":{"x":1}'),
      constructor: JSON.stringify(individual).replace('{', '{"constructor":{"prototype":{}},'),
      'deep nesting': withRaw('firstName', `${'['.repeat(1_000)}${']'.repeat(1_000)}`),
      'very deep nesting': withRaw('firstName', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`),
    }))
      assert.deepEqual([(await create(body)).status, what], [400, what])
    assertError(await create(withRaw('firstName', '9'.repeat(1_000_000))), 413, 'payload_too_large')
    assert.equal(await accountCount(), earlier)
    // JSON does not define the meaning of a duplicate name; the last one wins, as in JavaScript.
    const twice = await create(withRaw('firstName', '"first","firstName":"last"'))
    assert.deepEqual([twice.status, twice.body.individual.firstName], [201, 'last'])
  })

  test('R242, Q129: the largest legal body is accepted, even with every character escaped', async () => {
    const pair = (length: number) => '\u{1f600}'.repeat(length)
    const largest = {
      ...individual,
      individual: {
        ...individual.individual,
        firstName: pair(100),
        lastName: pair(100),
        birth_place: pair(100),
        street: pair(200),
        city: pair(100),
        zip: pair(20),
        state: pair(100),
        phone: pair(20),
      },
      bank_account: {
        ...individual.bank_account,
        account_holder: pair(100),
        bank: pair(100),
        bic: pair(11),
        currency: pair(3),
        iban: pair(34),
      },
      tax_information: { ...taxInformation, tax_identification_number: pair(50) },
    }
    const escaped = JSON.stringify(largest).replaceAll('\u{1f600}', '\\ud83d\\ude00')
    const response = await create(escaped)
    assert.equal(response.status, 201, response.text)
    assert.deepEqual(response.body.individual, { gender: '', ...largest.individual })
  })

  test('R017: the type is INDIVIDUAL or COMPANY', async () => {
    for (const type of ['individual', 'PERSON', '', null, 1, ['COMPANY'], undefined])
      await assertRejected({ ...individual, type }, '/type')
    assert.equal((await create(individual)).body.type, 'INDIVIDUAL')
    assert.equal((await create(company)).body.type, 'COMPANY')
  })

  test('R021: is_beneficiary is true or false, and returned', async () => {
    for (const is_beneficiary of [true, false])
      assert.equal((await create({ ...individual, is_beneficiary })).body.is_beneficiary, is_beneficiary)
    for (const is_beneficiary of ['true', 1, 0, null, undefined])
      await assertRejected({ ...individual, is_beneficiary }, '/is_beneficiary')
  })

  test('R023, R024, Q014, Q026: an e-mail address keeps its case and need not be confirmed; unusual ones are rejected', async () => {
    for (const communication of [
      { email: 'Ada.LOVELACE+x@Example.COM', email_confirmed: false },
      { email: "o'brien@example.co.uk", email_confirmed: true },
    ])
      assert.deepEqual((await create({ ...individual, communication })).body.communication, communication)
    for (const email of ['a@b', 'a@bücher.example', 'ä@example.com', 'a@b.de, c@d.de', 'Ada <a@b.de>', 'a@b.de\n'])
      await assertRejected({ ...individual, communication: { email, email_confirmed: true } }, '/communication/email')
  })

  test('R028, R030, R031, Q007, Q009: bank data of the specified length is accepted, even if a bank would reject it', async () => {
    const bank_account = { ...individual.bank_account, bic: 'x'.repeat(9), currency: 'e€1', iban: 'DE00 0000 0000 0' }
    assert.deepEqual((await create({ ...individual, bank_account })).body.bank_account, bank_account)
  })

  test('R025, R032, R036, Q019: 400 if a member of an object is missing, except gender', async () => {
    const legal = { ...individual, tax_information: taxInformation }
    for (const object of ['communication', 'bank_account', 'tax_information', 'individual'] as const)
      for (const member of Object.keys(legal[object]))
        await assertRejected({ ...legal, [object]: { ...legal[object], [member]: undefined } }, `/${object}/${member}`)
    for (const member of Object.keys(company.company))
      await assertRejected(companyWith({ [member]: undefined }), `/company/${member}`)
    assert.deepEqual((await create(legal)).body.tax_information, taxInformation)
  })

  test('Q015, Q023: null is not the same as absent, and an unknown member is rejected at every level', async () => {
    const legal: Record<string, unknown> = { ...individual, tax_information: taxInformation }
    for (const member of Object.keys(legal)) await assertRejected({ ...legal, [member]: null }, `/${member}`)
    for (const object of ['communication', 'bank_account', 'tax_information', 'individual', 'kyc'])
      await assertRejected({ ...legal, [object]: { ...(legal[object] as object), foo: 1 } }, `/${object}/foo`)
    await assertRejected(companyWith({ foo: 1 }), '/company/foo')
  })
})
