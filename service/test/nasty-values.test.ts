import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { operations } from '../src/operations.ts'
import { signedToken } from './harness/callers/signed-token.ts'
import { company } from './harness/data/bodies.ts'
import { Fixtures } from './harness/data/fixtures.ts'
import {
  exampleOf,
  type FieldPath,
  type JsonSchema,
  stringFields,
  valueAt,
  withValueAt,
} from './harness/fuzz/json-schema.ts'
import { nastyTexts } from './harness/fuzz/nasty-text.ts'
import type { ApiResponse } from './harness/installation/api-client.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'
import { newSeed } from './harness/seeded-random.ts'
import { testSize } from './harness/test-size.ts'

type Body = Record<string, unknown>
type Operation = (typeof operations)[number]
type Header = Operation['header'] & { body: NonNullable<Operation['header']['body']> }

// Signed operations have separate tests, which sign nasty bodies: an unsigned body is rejected before it is parsed. The
// signature of a wallet has separate tests, too; the hash of a document and answers are in nasty-answers.test.ts.
const separate = ['proveWallet', 'acceptDocument', 'answerQuestionnaire']
const withBody = operations
  .filter(({ kind, header }) => kind !== 'signed' && !separate.includes(header.id))
  .map(({ header }) => header)
  .filter((header): header is Header => header.body !== undefined)

/** Not all members of a body are valid together. Each variant is valid, and together they have every member. */
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

function validBodies({ id, body }: Header): Body[] {
  const whole = exampleOf(body as JsonSchema) as Body
  return variants[id]?.(whole) ?? [whole]
}

const lengthOf = (text: string) => [...text].length

/** Number of parts of the texts. Each field gets one; the next field and the next run get another. */
const parts = testSize({ short: 3, long: 1 })
const firstPart = newSeed() % parts

/** Returns the texts to try for a schema, as they are and padded to the minimum length. */
function textsFor({ enum: choices, format, minLength = 0, maxLength }: JsonSchema, part: number): string[] {
  const ofPart = nastyTexts.filter((_, index) => index % parts === part % parts)
  const filled = ofPart.map((text) => text + 'x'.repeat(Math.max(0, minLength - lengthOf(text))))
  const limits = [minLength - 1, minLength, maxLength, maxLength === undefined ? undefined : maxLength + 1]
  const ofLength = limits
    .filter((length) => length !== undefined && length > 0)
    .map((length) => '😀'.repeat(length ?? 0))
  const addresses = format === 'email' ? ofPart.map((text) => `${text}@example.com`) : []
  const dates = format === 'date' ? ['0000-01-01', '2023-02-29', '-001-01-01', '9999-12-31', '0001-01-01'] : []
  const near = (choices ?? []).map((choice) => `${String(choice)}\u200b`)
  return [...new Set([...ofPart, ...filled, ...ofLength, ...addresses, ...dates, ...near])]
}

const isStorable = (text: string) => text.isWellFormed() && !text.includes('\u0000')

describe('every text of every body with every nasty value', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const api = await installation.startApi({ LOG_LEVEL: 'info' })
  const tenantId = await installation.createTenant('A')
  const caller = await installation.issueCredential(tenantId, { requestsPerMinute: 60_000 })
  const token = await signedToken(installation, { tenantId, clientId: caller.clientId })
  const offeringId = await new Fixtures(installation).offering(tenantId)
  const call = (method: string, path: string, body?: unknown): Promise<ApiResponse> => {
    const headers = { 'x-idempotency-key': crypto.randomUUID() }
    return api.call(method, path, { token, headers, ...(body === undefined ? {} : { body }) })
  }
  const buyerId = await newAccount()
  const walletOf = (accountId: string) => new Fixtures(installation).wallet(tenantId, accountId)
  const transfer = {
    offering_id: offeringId,
    sender_wallet_id: await walletOf(buyerId),
    receiver_wallet_id: await walletOf(await newAccount()),
  }

  async function newAccount(): Promise<string> {
    const { body, text } = await call('POST', '/accounts', company)
    assert.ok(body.id, text)
    return body.id
  }

  /** Replaces the ids of examples with ids of existing resources. */
  async function withRealIds(header: Header, body: Body): Promise<Body> {
    if (header.id === 'createOrder') return { ...body, account_id: buyerId, units: '1000' }
    if (header.id === 'createTransfer') return { ...body, ...transfer, reason: 'gift' }
    if (header.id === 'createRegisterExtract') return { offering_id: offeringId, format: 'json' }
    // An address can be registered once.
    if (header.id === 'registerWallet') return { ...body, public_address: `0x${randomBytes(20).toString('hex')}` }
    if (header.id !== 'authenticate') return body
    // One credential per attempt, since each has a limit of wrong secrets.
    const { clientId, clientSecret } = await installation.issueCredential(tenantId)
    return { ...body, client_id: clientId, client_secret: clientSecret }
  }

  /** Reads back the written resource; undefined if nothing can be read. */
  async function readBack({ id }: Header, accountId: string, written: ApiResponse): Promise<unknown> {
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
      case 'registerWallet':
        return read(`/accounts/${accountId}/wallets/${written.body.id}`)
      case 'createRegisterExtract':
        return read(`/accounts/${accountId}/register-extracts/${written.body.id}`)
      case 'createTransfer':
        return read(`/transfers/${written.body.id}`)
      case 'authenticate':
        return undefined
      default:
        throw new Error(`readBack does not support ${id}`)
    }
  }

  /** Tries all values of one field in sequence, so that only one request at a time changes an account. */
  async function tryAll(
    header: Header,
    { field, schema, part }: { field: FieldPath; schema: JsonSchema; part: number },
    valid: Body,
  ): Promise<number> {
    const accountOf = async () => (header.path.includes(':accountId') ? newAccount() : '')
    let accountId = await accountOf()
    // A failed authentication is 401 and never repeats its input.
    const rejections = header.id === 'authenticate' ? [400, 401] : [400]
    // The form of an address depends on the provider, which a schema cannot express.
    const isAddress = header.id === 'registerWallet' && field.at(-1) === 'public_address'
    const isFree =
      schema.type === 'string' && !schema.pattern && !schema.format && schema.maxLength !== undefined && !isAddress
    let accepted = 0
    for (const text of textsFor(schema, part)) {
      // An account may have only a few unproven wallets.
      if (header.id === 'registerWallet') accountId = await accountOf()
      const path = header.path.replace(':accountId', accountId).replace(':offeringId', offeringId)
      const response = await call(header.method, path, withValueAt(await withRealIds(header, valid), field, text))
      const excerpt = JSON.stringify(text.slice(0, 60))
      const what = `${header.id} /${field.join('/')} = ${excerpt}: ${response.text.slice(0, 500)}`
      const isAccepted = response.status === header.success.status
      assert.ok(isAccepted || rejections.includes(response.status), `${response.status} for ${what}`)
      if (isFree) {
        const fits = lengthOf(text) >= (schema.minLength ?? 0) && lengthOf(text) <= (schema.maxLength ?? 0)
        assert.equal(isAccepted, fits && isStorable(text), what)
      }
      if (!isAccepted || header.id === 'authenticate') continue
      accepted += 1
      assert.equal(valueAt(response.body, field), text, `changed in the response: ${what}`)
      assert.equal(
        valueAt(await readBack(header, accountId, response), field),
        text,
        `changed in the database: ${what}`,
      )
    }
    return accepted
  }

  for (const header of withBody) {
    const name = `${header.method} ${header.path}`
    const fields = stringFields(header.body as JsonSchema)

    test(`${name}: valid bodies are accepted, and together contain every string of the schema`, async () => {
      const bodies = validBodies(header)
      for (const { field } of fields)
        assert.ok(
          bodies.some((body) => valueAt(body, field) !== undefined),
          `no valid body has /${field.join('/')}`,
        )
      for (const body of bodies) {
        const path = header.path.replace(':accountId', buyerId).replace(':offeringId', offeringId)
        const response = await call(header.method, path, await withRealIds(header, body))
        assert.equal(response.status, header.success.status, response.text)
      }
    })

    test(`R014, Q011: ${name}: each of ${fields.length} fields rejects a text or returns it unchanged`, async (t) => {
      const pending = fields.map((one, index) => ({ ...one, part: firstPart + index }))
      let accepted = 0
      const work = async () => {
        for (let next = pending.pop(); next; next = pending.pop()) {
          const valid = validBodies(header).find((body) => valueAt(body, next.field) !== undefined) ?? {}
          accepted += await tryAll(header, next, valid)
        }
      }
      await Promise.all(Array.from({ length: 8 }, work))
      t.diagnostic(`part ${firstPart + 1} of ${parts} first`)
      const hasFreeText = fields.some(({ schema }) => schema.maxLength !== undefined && !schema.format)
      assert.equal(accepted > 0, hasFreeText, `${accepted} nasty values were accepted`)
    })

    test(`R014: ${name}: invalid UTF-8 and names that are special in JavaScript are rejected`, async () => {
      const path = header.path.replace(':accountId', buyerId).replace(':offeringId', offeringId)
      const valid = await withRealIds(header, validBodies(header)[0] ?? {})
      // A stray byte, an unpaired surrogate in CESU-8, an overlong slash and NUL, a truncated sequence.
      for (const bytes of ['ff', 'eda080', 'c0af', 'c080', 'f09f98', 'f8888080af']) {
        const member = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes, 'hex'), Buffer.from('"}')])
        assert.equal((await call(header.method, path, member)).status, 400, bytes)
      }
      for (const member of ['__proto__', 'a\\u0000', '\\ud800', '\\u005f_proto__']) {
        const body = JSON.stringify(valid).replace('{', `{"${member}":{"isAdmin":true},`)
        assert.equal((await call(header.method, path, body)).status, 400, member)
      }
      // POST /auth ignores unknown members, as OAuth clients expect, and so does an order.
      const ignored = ['authenticate', 'createOrder'].includes(header.id) ? header.success.status : 400
      for (const member of ['constructor', 'prototype', 'toString', 'hasOwnProperty', '', '\ufeff', '😀']) {
        const body = JSON.stringify(valid).replace('{', `{${JSON.stringify(member)}:{"isAdmin":true},`)
        assert.equal((await call(header.method, path, body)).status, ignored, member)
      }
    })
  }
})
