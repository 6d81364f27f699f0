import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { inspect } from 'node:util'
import * as sdk from '../src/sdk.ts'
import { createSdkWorld, person } from './harness/world.ts'

describe('no error, log entry or printed client contains a secret', async () => {
  const world = await createSdkWorld()
  after(() => world.end())

  const clientSecret = 'its_canary-of-the-secret'
  const token = 'canary.of.the.token'
  const iban = 'CANARY0IBAN0000'
  const webhookSecret = `whsec_${btoa('canary-of-the-webhook-secret')}`

  test('for every error class, however the error occurs and is printed', async () => {
    const seen = new Set<string>()
    const logged: sdk.LogEntry[] = []
    let clients = ''
    /** A fetch that echoes the whole request in its errors and responses, as a bad runtime or proxy would. */
    const echoing = (status: number, code: string, headers: Record<string, string> = {}): sdk.FetchLike => {
      return async (url, request) => {
        if (url.endsWith('/auth') && status !== -1) return respond(200, authResponse)
        if (status === 0)
          throw Object.assign(new TypeError(inspect(request)), { cause: request, code: inspect(request) })
        if (status === -2) return new Promise(() => {})
        const message = `${inspect(request, { depth: 9 })} ${request.body}`
        const error = { type: 'test', code, message: code === '' ? undefined : message.replaceAll(iban, '') }
        const errors = [{ detail: message.replaceAll(iban, ''), pointer: '/a' }]
        return respond(
          Math.abs(status),
          { id: 'x', ...(status >= 400 || status < 0 ? { error: { ...error, errors } } : {}) },
          headers,
        )
      }
    }
    const authResponse = {
      access_token: token,
      token_type: 'Bearer',
      expires_at: new Date(Date.now() + 6e5).toISOString(),
    }
    const respond = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      new Response(JSON.stringify(body), { status, headers })
    const body = { ...person, bank_account: { ...person.bank_account, iban } }

    const create = (client: sdk.InvestorToken, options: sdk.WriteOptions): Promise<unknown> =>
      client.accounts.create(body, options)
    const readEvents = (client: sdk.InvestorToken): Promise<unknown> => client.events.after(5).next()
    const provoke = async (fetch: sdk.FetchLike, options: sdk.WriteOptions = {}, call = create) => {
      const client = new sdk.InvestorToken({
        clientId: 'id',
        clientSecret,
        webhookSecret,
        baseUrl: 'https://api.example.com',
        maxRetries: 0,
        fetch,
        logger: (entry) => logged.push(entry),
      })
      clients += print(client)
      const error: unknown = await call(client, options).then(
        () => assert.fail('no error'),
        (caught) => caught,
      )
      assert.ok(error instanceof sdk.InvestorTokenError, inspect(error))
      seen.add(error.name)
      assertClean(print(error), error.name)
    }
    for (const status of [400, 401, 403, 404, 409, 413, 429, 500]) await provoke(echoing(status, 'some_code'))
    await provoke(echoing(-1, 'invalid_client'))
    await provoke(echoing(502, ''))
    await provoke(echoing(0, ''))
    await provoke(echoing(-2, ''), { timeoutMs: 20 })
    await provoke(echoing(-2, ''), { signal: AbortSignal.timeout(20) })
    await provoke(echoing(200, '', { 'idempotency-payload-mismatch': 'true' }))
    await provoke(echoing(200, ''), { idempotencyKey: '\n' })
    const restored = { restored_to: '2026-11-15T10:30:00.000Z', kept_sequence: 4, sequence: 9 }
    const page = { events: [], next: null, last_sequence: 9, restored }
    const restoring: sdk.FetchLike = async (url) => respond(200, url.endsWith('/auth') ? authResponse : page)
    await provoke(restoring, {}, readEvents)
    const webhooks = new sdk.Webhooks(webhookSecret)
    const rejected: unknown = await webhooks.unwrap({ headers: {}, body: token }).catch((error: unknown) => error)
    seen.add((rejected as Error).name)
    assertClean(print(rejected), 'WebhookError')
    assertClean(print(webhooks), 'webhooks')
    assertClean(clients, 'a client')
    assertClean(print(logged), 'the log')
    assert.ok(logged.length > 20)

    const classes = Object.keys(sdk).filter((name) => name.endsWith('Error') && name !== 'InvestorTokenError')
    assert.deepEqual([...seen].toSorted(), classes.toSorted(), 'every class was thrown')
  })

  test('for errors of the real service after a wrong secret and an invalid body', async () => {
    for (const options of [{ clientSecret }, {}]) {
      const error: unknown = await world
        .client(options)
        .accounts.create({ ...person, type: iban as never })
        .catch((caught) => caught)
      assert.ok(error instanceof sdk.ApiError)
      const text = print(error)
      assertClean(text.replaceAll(iban, ''), error.name)
      assert.ok(!text.includes(world.credential.clientSecret))
    }
  })

  /** Prints a value in all the ways it may end up in a log. */
  function print(value: unknown): string {
    const { stack = '', cause } = value as { stack?: string; cause?: unknown }
    const whole = inspect(value, { depth: 20, showHidden: true, getters: true })
    return [whole, inspect(value), JSON.stringify(value), String(value), stack, inspect(cause)].join('\n')
  }

  function assertClean(text: string, what: string): void {
    for (const canary of [clientSecret, token, iban, webhookSecret])
      assert.ok(!text.includes(canary), `${what} contains ${canary}:\n${text.slice(0, 2000)}`)
  }
})
