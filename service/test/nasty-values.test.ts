import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { operations } from '../src/operations.ts'
import type { Answer } from './harness/api-client.ts'
import { company } from './harness/bodies.ts'
import { Fixtures } from './harness/fixtures.ts'
import { exampleOf, type JsonSchema, type Place, stringPlaces, valueAt, withValueAt } from './harness/json-schema.ts'
import { nastyTexts } from './harness/nasty-text.ts'
import { type RunningApi, TestInstallation } from './harness/service.ts'
import { signedToken } from './harness/signed-token.ts'

type Body = Record<string, unknown>
type Operation = (typeof operations)[number]
type Header = Operation['header'] & { body: NonNullable<Operation['header']['body']> }

// What must be signed has tests of its own, which sign nasty bodies too: unsigned, it is refused before it is read.
const withBody = operations
  .filter(({ kind }) => kind !== 'signed')
  .map(({ header }) => header)
  .filter((header): header is Header => header.body !== undefined)

/** The whole of what an operation takes is not always legal together: these are, and together have every member. */
const variants: Record<string, (whole: Body) => Body[]> = {
  createAccount: ({ individual, kyc, company: firm, kyb, ...rest }) => [
    { ...rest, type: 'INDIVIDUAL', individual, kyc },
    { ...rest, type: 'COMPANY', company: firm, kyb },
  ],
  updateAccount: ({ kyc, kyb, ...rest }) => [
    { ...rest, kyc },
    { ...rest, kyb },
  ],
}

function legalBodies({ id, body }: Header): Body[] {
  const whole = exampleOf(body as JsonSchema) as Body
  return variants[id]?.(whole) ?? [whole]
}

const lengthOf = (text: string) => [...text].length

/** What a field of this kind is tried with; filled up where it would only be too short. */
function textsFor({ enum: choices, format, minLength = 0, maxLength }: JsonSchema): string[] {
  const filled = nastyTexts.map((text) => text + 'x'.repeat(Math.max(0, minLength - lengthOf(text))))
  const limits = [minLength - 1, minLength, maxLength, maxLength === undefined ? undefined : maxLength + 1]
  const ofLength = limits
    .filter((length) => length !== undefined && length > 0)
    .map((length) => '😀'.repeat(length ?? 0))
  const addresses = format === 'email' ? nastyTexts.map((text) => `${text}@example.com`) : []
  const dates = format === 'date' ? ['0000-01-01', '2023-02-29', '-001-01-01', '9999-12-31', '0001-01-01'] : []
  const near = (choices ?? []).map((choice) => `${String(choice)}\u200b`)
  return [...new Set([...nastyTexts, ...filled, ...ofLength, ...addresses, ...dates, ...near])]
}

const isStorable = (text: string) => text.isWellFormed() && !text.includes('\u0000')

describe('every text of every body with every nasty value', () => {
  let installation: TestInstallation
  let api: RunningApi
  let token: string
  let tenantId: string
  let offeringId: string
  let buyerId: string

  before(async () => {
    installation = await TestInstallation.create()
    api = await installation.startApi({ LOG_LEVEL: 'info' })
    tenantId = await installation.createTenant('A')
    const { clientId } = await installation.issueCredential(tenantId, { requestsPerMinute: 60_000 })
    token = await signedToken(installation, { tenantId, clientId })
    offeringId = await new Fixtures(installation).offering(tenantId)
    buyerId = await newAccount()
  })
  after(() => installation.end())

  const call = (method: string, path: string, body?: unknown): Promise<Answer> => {
    const headers = { 'x-idempotency-key': crypto.randomUUID() }
    return api.call(method, path, { token, headers, ...(body === undefined ? {} : { body }) })
  }

  async function newAccount(): Promise<string> {
    const { body, text } = await call('POST', '/accounts', company)
    assert.ok(body.id, text)
    return body.id
  }

  /** Ids of what is there take the place of examples. */
  async function completed(header: Header, body: Body): Promise<Body> {
    if (header.id === 'createOrder') return { ...body, account_id: buyerId, units: '1000' }
    if (header.id !== 'authenticate') return body
    // One credential for each attempt, since wrong secrets are limited for each.
    const { clientId, clientSecret } = await installation.issueCredential(tenantId)
    return { ...body, client_id: clientId, client_secret: clientSecret }
  }

  /** How what was written is read again; undefined where there is nothing to read. */
  async function readAgain({ id }: Header, accountId: string, written: Answer): Promise<unknown> {
    const read = async (path: string) => (await call('GET', path)).body
    switch (id) {
      case 'createAccount':
      case 'updateAccount':
        return read(`/accounts/${written.body.id}`)
      case 'createOrder':
        return read(`/offerings/${offeringId}/orders/${written.body.id}`)
      case 'createBenefitingPerson': {
        const list = await read(`/accounts/${accountId}/benefiting-persons`)
        const people: { id: string }[] = Array.isArray(list) ? list : list.results
        return people.find((person) => person.id === written.body.id)
      }
      case 'authenticate':
        return undefined
      default:
        throw new Error(`say how what ${id} writes is read again`)
    }
  }

  /** Tries a list of values one after the other at one place, so that an account is changed by one at a time. */
  async function tryAll(header: Header, place: Place, schema: JsonSchema, legal: Body): Promise<number> {
    const accountId = header.path.includes(':accountId') ? await newAccount() : ''
    const path = header.path.replace(':accountId', accountId).replace(':offeringId', offeringId)
    // An authentication that fails says 401, and never what it was given.
    const refusals = header.id === 'authenticate' ? [400, 401] : [400]
    const isFree = schema.type === 'string' && !schema.pattern && !schema.format && schema.maxLength !== undefined
    let kept = 0
    for (const text of textsFor(schema)) {
      const answer = await call(header.method, path, withValueAt(await completed(header, legal), place, text))
      const short = JSON.stringify(text.slice(0, 60))
      const what = `${header.id} /${place.join('/')} = ${short}: ${answer.text.slice(0, 500)}`
      const isKept = answer.status === header.success.status
      assert.ok(isKept || refusals.includes(answer.status), `${answer.status} for ${what}`)
      if (isFree) {
        const fits = lengthOf(text) >= (schema.minLength ?? 0) && lengthOf(text) <= (schema.maxLength ?? 0)
        assert.equal(isKept, fits && isStorable(text), what)
      }
      if (!isKept || header.id === 'authenticate') continue
      kept += 1
      assert.equal(valueAt(answer.body, place), text, `not echoed as it is: ${what}`)
      assert.equal(valueAt(await readAgain(header, accountId, answer), place), text, `not kept as it is: ${what}`)
    }
    return kept
  }

  for (const header of withBody) {
    const name = `${header.method} ${header.path}`
    const places = stringPlaces(header.body as JsonSchema)

    test(`${name}: its legal bodies are accepted, and have every text of the schema`, async () => {
      const bodies = legalBodies(header)
      for (const { place } of places)
        assert.ok(
          bodies.some((body) => valueAt(body, place) !== undefined),
          `no legal body has /${place.join('/')}`,
        )
      for (const body of bodies) {
        const path = header.path.replace(':accountId', buyerId).replace(':offeringId', offeringId)
        const answer = await call(header.method, path, await completed(header, body))
        assert.equal(answer.status, header.success.status, answer.text)
      }
    })

    test(`R014, Q011: ${name}: each of ${places.length} texts is 400, or kept and echoed byte by byte`, async () => {
      const open = [...places]
      let kept = 0
      const work = async () => {
        for (let next = open.pop(); next; next = open.pop()) {
          const { place, schema } = next
          const legal = legalBodies(header).find((body) => valueAt(body, place) !== undefined) ?? {}
          kept += await tryAll(header, place, schema, legal)
        }
      }
      await Promise.all(Array.from({ length: 8 }, work))
      const hasFreeText = places.some(({ schema }) => schema.maxLength !== undefined && !schema.format)
      assert.equal(kept > 0, hasFreeText, `${kept} nasty values were kept`)
    })

    test(`R014: ${name}: bytes that are no UTF-8 and names that are something to JavaScript are refused`, async () => {
      const path = header.path.replace(':accountId', buyerId).replace(':offeringId', offeringId)
      const legal = await completed(header, legalBodies(header)[0] ?? {})
      // A stray byte, half a surrogate pair in CESU-8, a slash and a NUL written too long, an end in the middle.
      for (const bytes of ['ff', 'eda080', 'c0af', 'c080', 'f09f98', 'f8888080af']) {
        const member = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes, 'hex'), Buffer.from('"}')])
        assert.equal((await call(header.method, path, member)).status, 400, bytes)
      }
      for (const member of ['__proto__', 'a\\u0000', '\\ud800', '\\u005f_proto__']) {
        const body = JSON.stringify(legal).replace('{', `{"${member}":{"isAdmin":true},`)
        assert.equal((await call(header.method, path, body)).status, 400, member)
      }
      // POST /auth ignores members that it does not know, as OAuth clients expect.
      const ignored = header.id === 'authenticate' ? header.success.status : 400
      for (const member of ['constructor', 'prototype', 'toString', 'hasOwnProperty', '', '\ufeff', '😀']) {
        const body = JSON.stringify(legal).replace('{', `{${JSON.stringify(member)}:{"isAdmin":true},`)
        assert.equal((await call(header.method, path, body)).status, ignored, member)
      }
    })
  }
})
