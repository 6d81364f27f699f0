import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TSchema, Type } from 'typebox'
import { queues } from '../src/background.ts'
import { operations } from '../src/operations.ts'
import { operatorApiOperations } from '../src/operator-operations.ts'
import { assertDeclared } from '../src/platform/api/declare/assert-declared.ts'
import { Secret } from '../src/platform/api/declare/masked.ts'
import type { Operation } from '../src/platform/api/declare/operation.ts'
import { eventTypes } from '../src/records/events/event-types.ts'

const looksSecret = /secret|password|passphrase|mnemonic|private|signature|token$|key$|_code$|pin$|otp$|^invitation$/i

/** Members with such a name that are not secret, and why. */
const noSecrets: Readonly<Record<string, string>> = {
  previous_secret_ends_at: 'a time',
  price_per_token: 'an amount',
  rate_per_token: 'an amount',
  nominal_per_token: 'an amount',
  idempotency_key: 'chosen by an integrator for one request, and of no use to another caller',
  publicKey: 'the public part of a passkey',
}

/** Responses that show a secret once, and requests whose secret-like member proves something without being secret. */
const once = 'shown only in this response, which no idempotency key stores'
const reviewed: Readonly<Record<string, string>> = {
  'authenticate response access_token': once,
  'createCredential response client_secret': once,
  'createKycProvider response secret': once,
  'createPaymentProvider response secret': once,
  'createServiceToken response token': once,
  'createToken response token': once,
  'createWebhookEndpoint response secret': once,
  'getDeviceToken response token': once,
  'proveWallet body signature': 'signs a challenge that everyone may read; the proof may be shown',
  'rotateCredential response client_secret': once,
  'rotateKycProvider response secret': once,
  'rotatePaymentProvider response secret': once,
  'rotateWebhookSecret response secret': once,
  'startDeviceAuthorization response device_code': once,
  'startDeviceAuthorization response user_code': once,
}

interface Schema {
  readonly type?: string
  readonly writeOnly?: boolean
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
  readonly allOf?: readonly TSchema[]
}

interface Member {
  readonly path: string
  readonly isText: boolean
  readonly isWriteOnly: boolean
}

function membersOf(schema: TSchema | undefined, path: readonly string[] = []): Member[] {
  const { type, writeOnly = false, properties = {}, items, anyOf = [], allOf = [] } = (schema ?? {}) as Schema
  return [
    ...(path.length > 0 ? [{ path: path.join('.'), isText: type === 'string', isWriteOnly: writeOnly }] : []),
    ...Object.entries(properties).flatMap(([name, member]) => membersOf(member, [...path, name])),
    ...(items ? membersOf(items, path) : []),
    ...[...anyOf, ...allOf].flatMap((part) => membersOf(part, path)),
  ]
}

const all: readonly Operation[] = [...operations, ...operatorApiOperations]

test('every secret-like member of a request, a response, an event or a job is write-only or reviewed', () => {
  const open = new Set<string>()
  const look = (where: string, schema: TSchema | undefined) => {
    for (const { path, isText, isWriteOnly } of membersOf(schema)) {
      const name = path.split('.').at(-1) ?? ''
      if (isText && !isWriteOnly && looksSecret.test(name) && !(name in noSecrets)) open.add(`${where} ${path}`)
    }
  }
  for (const { header } of all) {
    for (const part of ['params', 'query', 'body'] as const) look(`${header.id} ${part}`, header[part])
    look(`${header.id} response`, header.success.body)
  }
  for (const { name, payload } of queues.flatMap(({ jobs }) => jobs)) look(`${name} payload`, payload)
  for (const type of Object.keys(eventTypes)) assert.doesNotMatch(type, looksSecret)
  assert.deepEqual([...open].toSorted(), Object.keys(reviewed).toSorted())
})

const operation = (change: object, more: object = {}) =>
  ({
    kind: 'operator',
    database: 'cell',
    header: {
      id: 'setPassword',
      path: '/password',
      method: 'POST',
      duty: 'team',
      idempotency: 'none',
      errors: [],
      success: { status: 200, body: Type.Object({}) },
      body: Type.Object({ password: Secret({ description: 'The password.' }) }),
      ...change,
    },
    ...more,
  }) as unknown as Operation

test('an operation that could keep or return a write-only member does not start', () => {
  const withSecret = Type.Object({ list: Type.Array(Type.Object({ password: Secret({}) })) })
  assert.doesNotThrow(() => assertDeclared([operation({})]))
  for (const [wrong, message] of [
    [operation({ success: { status: 200, body: withSecret } }), /returns a member that is write-only/],
    [operation({ query: withSecret }), /takes a secret in its URL/],
    [operation({ idempotency: 'optional' }), /stored response/],
    [operation({}, { database: 'directory', rule: { policy: 'always', subject: 'user' } }), /cannot seal/],
  ] as const)
    assert.throws(() => assertDeclared([wrong]), message)
})
