import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { SignInWorld } from '../../../../test/harness/callers/sign-in-world.ts'
import { type ApiResponse, assertError, callApi } from '../../../../test/harness/installation/api-client.ts'

describe('a device that a person signs in', async () => {
  let ada: Awaited<ReturnType<SignInWorld['person']>>

  const world = await SignInWorld.start()
  const tenantId = await world.installation.createTenant('A')
  after(() => world.installation.end())
  beforeEach(async () => {
    ada = await world.person(tenantId)
  })

  /** Calls like a program, not a page: without a cookie and without the headers of a browser. */
  const call = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    callApi(world.origin, 'POST', path, { prefix: '/operator', body, headers })
  const start = async () => {
    const { status, text, body } = await call('/device-authorizations', { device_name: 'laptop of Ada' })
    assert.equal(status, 201, text)
    return body as { device_code: string; user_code: string; verification_uri: string; interval: number }
  }
  const poll = (deviceCode: string) => call('/device-authorizations/token', { device_code: deviceCode })
  const lastPolled = (time: string) =>
    world.sql(`update directory.device_authorization set last_polled_at = ${time} where used_at is null`, [])
  /** Polls like a device that keeps to the interval, but without waiting. */
  const pollAgain = async (deviceCode: string): Promise<ApiResponse> => {
    await lastPolled(`now() - interval '2 s'`)
    return poll(deviceCode)
  }
  const open = (user_code: string, cookie = ada.cookie) =>
    world.call('POST', '/device-authorizations/open', { cookie, body: { user_code } })
  const confirm = (user_code: string, cookie = ada.cookie) =>
    world.call('POST', '/device-authorizations/confirm', { cookie, body: { user_code } })
  const me = (token: string) => callApi(world.origin, 'GET', '/me', { prefix: '/operator', token })

  test('receives one token of the person who confirmed it with a passkey', async () => {
    const device = await start()
    assert.match(device.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    assert.equal(device.verification_uri, `${world.origin}/console/device`)
    assertError(await poll(device.device_code), 400, 'authorization_pending')
    const seen = await open(device.user_code.toLowerCase().replace('-', ' '))
    assert.equal(seen.status, 200, seen.text)
    assert.deepEqual([seen.body.device_name, seen.body.source_address], ['laptop of Ada', '127.0.0.1'])
    await world.sql(`update directory.operator_session set stepped_up_at = null where user_id = $1`, [ada.userId])
    assertError(await confirm(device.user_code), 403, 'step_up_needed')
    assertError(await pollAgain(device.device_code), 400, 'authorization_pending')
    await world.stepUp(ada.authenticator, ada.cookie)
    assert.equal((await confirm(device.user_code)).status, 200)

    const received = await pollAgain(device.device_code)
    assert.equal(received.status, 200, received.text)
    const { token, token_id, user_id, tenant_id, expires_at } = received.body
    assert.deepEqual([user_id, tenant_id], [ada.userId, tenantId])
    assert.ok(Date.parse(expires_at) <= Date.now() + 86_400_000)
    assert.equal((await me(token)).body.user.id, ada.userId)
    assertError(await pollAgain(device.device_code), 400, 'authorization_expired')

    const { results } = (await world.call('GET', `/users/${ada.userId}/tokens`, { cookie: ada.cookie })).body
    assert.deepEqual([results.length, results[0].id, results[0].name], [1, token_id, 'laptop of Ada'])
    const audit = (await world.call('GET', '/directory-audit', { cookie: ada.cookie })).body.results
    assert.deepEqual(
      audit.slice(0, 2).map(({ action, actor_id }: Record<string, string>) => [action, actor_id]),
      [
        ['personal_token.issued', ada.userId],
        ['device.confirmed', ada.userId],
      ],
    )
  })

  test('its token ends with the session, and can neither confirm a change nor another device', async () => {
    const device = await start()
    await confirm(device.user_code)
    const { token } = (await poll(device.device_code)).body
    const other = await start()
    const asToken = { authorization: `Bearer ${token}` }
    for (const path of ['open', 'confirm']) {
      const response = await call(`/device-authorizations/${path}`, { user_code: other.user_code }, asToken)
      assertError(response, 403, 'session_required')
    }
    assertError(await poll(other.device_code), 400, 'authorization_pending')
    await world.call('POST', '/sign-out', { cookie: ada.cookie })
    assertError(await me(token), 401, 'token_revoked')
  })

  test('receives nothing if the session that confirmed it has ended meanwhile', async () => {
    const device = await start()
    await confirm(device.user_code)
    await world.call('POST', '/sign-out', { cookie: ada.cookie })
    assertError(await poll(device.device_code), 400, 'authorization_expired')
  })

  test('a code that is guessed, mistyped, expired or already confirmed finds no device', async () => {
    const device = await start()
    for (const code of ['BBBB-BBBB', 'AEIO-UAEI', '1234', device.user_code.slice(1)]) {
      assertError(await open(code), 404, 'user_code_invalid')
      assertError(await confirm(code), 404, 'user_code_invalid')
    }
    assert.equal((await confirm(device.user_code)).status, 200)
    const grace = await world.person(tenantId)
    for (const cookie of [ada.cookie, grace.cookie]) {
      assertError(await open(device.user_code, cookie), 404, 'user_code_invalid')
      assertError(await confirm(device.user_code, cookie), 404, 'user_code_invalid')
    }
    assert.equal((await poll(device.device_code)).body.user_id, ada.userId)

    const late = await start()
    await world.sql(`update directory.device_authorization set expires_at = now() where used_at is null`, [])
    assertError(await confirm(late.user_code), 404, 'user_code_invalid')
    assertError(await poll(late.device_code), 400, 'authorization_expired')
  })

  test('if two people confirm a code at once, only the first succeeds', async () => {
    const grace = await world.person(tenantId)
    const { user_code, device_code } = await start()
    const responses = await Promise.all([confirm(user_code), confirm(user_code, grace.cookie)])
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 404])
    const first = responses[0]?.status === 200 ? ada.userId : grace.userId
    assert.equal((await poll(device_code)).body.user_id, first)
  })

  test('no other device receives its token: neither the code that people see nor a changed one polls', async () => {
    const device = await start()
    const [mine, other] = [Buffer.from(device.device_code.slice(4), 'base64url'), await start()]
    const theirs = Buffer.from(other.device_code.slice(4), 'base64url')
    await confirm(device.user_code)
    // The id of this device with the secret of another.
    const mixed = `itd_${Buffer.concat([mine.subarray(0, 16), theirs.subarray(16)]).toString('base64url')}`
    for (const code of [device.user_code, 'itd_', `${device.device_code}A`, mixed])
      assertError(await poll(code), 400, 'authorization_expired')
    assert.equal((await poll(device.device_code)).status, 200)
  })

  test('two polls at once receive one token', async () => {
    const device = await start()
    await confirm(device.user_code)
    const codes = (await Promise.all([poll(device.device_code), poll(device.device_code)])).map(({ status, body }) =>
      status === 200 ? 'token' : body.error.code,
    )
    assert.equal(codes.filter((code) => code === 'token').length, 1, codes.join())
    const { results } = (await world.call('GET', `/users/${ada.userId}/tokens`, { cookie: ada.cookie })).body
    assert.equal(results.length, 1)
  })

  test('a flood of polls is rejected before it reaches the database', async () => {
    const { device_code: code } = await start()
    await Promise.all(Array.from({ length: 90 }, () => poll(code)))
    await lastPolled(`now() - interval '1 hour'`)
    assertError(await poll(code), 400, 'slow_down')
    const rows = await world.installation.rows(
      `select from directory.device_authorization
       where used_at is null and last_polled_at > now() - interval '59 minutes'`,
    )
    assert.equal(rows.length, 0, 'the poll has changed nothing')
  })

  test('must slow down if it polls too often; an address that starts too many devices must wait', async () => {
    const device = await start()
    assertError(await poll(device.device_code), 400, 'authorization_pending')
    // Makes the next poll too early, however slow this machine is.
    await lastPolled(`now() + interval '1 minute'`)
    assertError(await poll(device.device_code), 400, 'slow_down')
    assertError(await pollAgain(device.device_code), 400, 'authorization_pending')
    let limited = 0
    for (let count = 0; count < 130 && limited === 0; count += 1)
      if ((await call('/device-authorizations', { device_name: 'flood' })).status === 429) limited += 1
    assert.equal(limited, 1)
  })
})
