import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import pLimit from 'p-limit'
import { company } from './harness/data/bodies.ts'
import { Fixtures } from './harness/data/fixtures.ts'
import { type RequestField, requestFields } from './harness/fuzz/boundary-fields.ts'
import { assertError } from './harness/installation/api-client.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'

interface Vector {
  target: string
  field: string
  value: unknown
  expect: 'accept' | 'reject'
  note: string
}

/** Requirements that the values of a member verify. */
const requirements: Record<string, Record<string, string>> = {
  communication: { email: 'R023, R082', email_confirmed: 'R024, R082' },
  bank_account: {
    account_holder: 'R026, R082',
    bank: 'R027, R082',
    bic: 'R028, R082',
    country: 'R029, R082',
    currency: 'R030, R082',
    iban: 'R031, R082',
  },
  tax_information: {
    non_assessment_certificate: 'R033, R082',
    is_subject_to_german_tax: 'R034, R082',
    tax_identification_number: 'R035, R082',
  },
  individual: {
    firstName: 'R037',
    lastName: 'R038',
    birth_date: 'R039',
    birth_place: 'R040',
    citizenship: 'R041',
    gender: 'R042',
    street: 'R043',
    city: 'R044',
    zip: 'R045',
    state: 'R046',
    country: 'R047',
    phone: 'R048',
  },
  company: {
    name: 'R050',
    registration_number: 'R051',
    legal_form: 'R052',
    vat_id: 'R053',
    incorporation_date: 'R054',
    street: 'R055',
    city: 'R056',
    zip: 'R057',
    state: 'R058',
    country: 'R059',
    phone: 'R060',
  },
  benefiting_person: {
    firstname: 'R090',
    lastname: 'R091',
    street: 'R092',
    zip: 'R093',
    state: 'R094',
    city: 'R095',
    country: 'R096',
  },
  kyc: { status: 'R079' },
  kyb: { status: 'R080' },
  query: { limit: 'R169, R171', offset: 'R170, R171' },
  order: { units: 'R137' },
  auth: { scopes: 'R181', api_version: 'R182' },
  header: { 'X-Idempotency-Key': 'R208' },
}

const vectors = JSON.parse(readFileSync(new URL('./boundary-vectors.json', import.meta.url), 'utf8')) as Vector[]
const concurrencyMax = 8

describe('boundary values', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const api = await installation.startApi()
  const tenantId = await installation.createTenant('A')
  const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 60_000 })
  const token = await api.token(credential)
  const headers = { 'x-idempotency-key': crypto.randomUUID() }
  const accountId = (await api.call('POST', '/accounts', { token, body: company, headers })).body.id
  // Large and cheap enough to order any number of units for an amount that a JSON number represents exactly.
  const offeringId = await new Fixtures(installation).offering(tenantId, {
    decimals: 18,
    price_per_token: `0.${'0'.repeat(49)}1`,
    total_units: String(2n ** 256n - 1n),
  })
  await installation.rows('update cell.offering set total_units = $2 where id = $1', [offeringId, '9'.repeat(78)])
  const context = { api, credential, token, accountId, offeringId }

  test('the file has 467 vectors, 126 of them valid', () => {
    assert.equal(vectors.length, 467)
    assert.equal(vectors.filter(({ expect }) => expect === 'accept').length, 126)
  })

  for (const group of Map.groupBy(vectors, ({ target, field }) => `${target}.${field}`).values()) {
    const [{ target, field } = { target: '', field: '' }] = group
    const accepted = group.filter(({ expect }) => expect === 'accept')
    const rejected = group.filter(({ expect }) => expect === 'reject')
    const counts = `${accepted.length} accepted, ${rejected.length} rejected`
    const title = `${target}.${field} in every request that has it: ${counts}`
    test(`${requirements[target]?.[field] ?? 'unknown'}: ${title}`, async () => {
      for (const requestField of requestFields(context, target, field)) {
        const { name, mayBeAbsent, status, send } = requestField
        const absent: Vector = { target, field, value: undefined, expect: 'reject', note: 'absent' }
        await assertRejects(requestField, mayBeAbsent ? rejected : [...rejected, absent])
        await assertAccepts(requestField, accepted)
        if (mayBeAbsent) assert.equal((await send(undefined)).status, status, name)
      }
    })
  }

  async function assertRejects(field: RequestField, rejected: readonly Vector[]): Promise<void> {
    const earlier = await field.state()
    await forEachConcurrently(rejected, async ({ value, note }) => {
      const response = await field.send(value)
      assertError(response, 400, 'validation_failed')
      const [{ detail, ...location }] = response.body.error.errors
      assert.ok(detail)
      const expected = expectedLocation(field.failure, location)
      assert.deepEqual(location, expected, `${field.name}: ${JSON.stringify(value)} ${note}`)
    })
    assert.deepEqual(await field.state(), earlier, `${field.name}: a rejected request changed the state`)
  }

  async function assertAccepts(field: RequestField, accepted: readonly Vector[]): Promise<void> {
    await forEachConcurrently(accepted, async ({ value, note }) => {
      const response = await field.send(value)
      const message = `${field.name}: ${JSON.stringify(value)} ${note}: ${response.text}`
      assert.equal(response.status, field.status, message)
      assert.deepEqual(field.returned(response), field.expected ? field.expected(value) : value, message)
    })
  }
})

/** Returns the expected location. An error may name an item of the member instead of the member. */
function expectedLocation(expected: Record<string, string>, actual: Record<string, string>): Record<string, string> {
  const { pointer } = actual
  return pointer?.startsWith(`${expected['pointer']}/`) ? { pointer } : expected
}

async function forEachConcurrently<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const limit = pLimit(concurrencyMax)
  await Promise.all(items.map((item) => limit(() => work(item))))
}
