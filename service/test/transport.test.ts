import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { Fixtures } from './harness/data/fixtures.ts'
import { type ApiResponse, assertError, assertResponseConventions } from './harness/installation/api-client.ts'
import { TestInstallation } from './harness/installation/test-installation.ts'

describe('routing and transport', async () => {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  const api = await installation.startApi()
  const tenantId = await installation.createTenant('A')
  const offeringId = await new Fixtures(installation).offering(tenantId)
  const token = await api.token(await installation.issueCredential(tenantId, { requestsPerMinute: 10_000 }))

  const auth = (body: unknown, headers: Record<string, string> = {}) => api.call('POST', '/auth', { body, headers })

  /** Writes raw bytes to a socket and reads the response, for requests that no HTTP client would send. */
  async function raw(request: string | Buffer): Promise<ApiResponse> {
    const socket = connect(Number(new URL(api.baseUrl).port), '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    const parts: Buffer[] = []
    socket.on('data', (part: Buffer) => parts.push(part))
    socket.write(request)
    const timer = setTimeout(() => socket.destroy(), 5_000)
    await once(socket, 'close')
    clearTimeout(timer)
    const [head = '', text = ''] = Buffer.concat(parts).toString().split('\r\n\r\n')
    const [statusLine = '', ...lines] = head.split('\r\n')
    const headers = new Headers(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon), line.slice(colon + 1).trim()]
      }),
    )
    return { status: Number(statusLine.split(' ')[1]), headers, text, body: JSON.parse(text || 'null') }
  }

  test('R001: both prefixes serve the same operations and data', async () => {
    const [one, other] = [
      await api.call('GET', `/offerings/${offeringId}`, { token }),
      await api.call('GET', `/offerings/${offeringId}`, { token, prefix: '/_api' }),
    ]
    assert.equal(one.status, 200)
    assert.deepEqual([other.status, other.text], [one.status, one.text])
  })

  test('R003, Q003: an unknown path is 404, a wrong method 405 with Allow, OPTIONS 204 with Allow', async () => {
    for (const path of ['/nope', '', '/', '/auth/x', '/offerings/x/y/z', '/AUTH'])
      assertError(await api.call('GET', path, { token }), 404, 'route_not_found')
    const outside = await fetch(`${api.baseUrl}/auth`, { method: 'POST' })
    assert.equal(outside.status, 404)
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'PROPFIND'])
      for (const path of ['/auth', '/auth/', '/auth?x=1']) {
        const response = await api.call(method, path)
        assertError(response, 405, 'method_not_allowed')
        assert.equal(response.headers.get('allow'), 'POST, OPTIONS')
      }
    const options = await api.call('OPTIONS', `/offerings/${offeringId}`)
    assert.equal(options.status, 204)
    assert.equal(options.headers.get('allow'), 'GET, HEAD, OPTIONS')
    assert.equal(options.headers.get('access-control-allow-origin'), null)
  })

  test('Q003: a trailing slash is the same resource, without a redirect', async () => {
    assert.equal((await api.call('GET', `/offerings/${offeringId}/`, { token })).status, 200)
  })

  test('R009, Q004, Q005: ids work in either case; 400 for an invalid UUID, 404 for an unknown one', async () => {
    const upper = await api.call('GET', `/offerings/${offeringId.toUpperCase()}`, { token })
    assert.equal(upper.body.id, offeringId)
    for (const id of [
      'x',
      `urn:uuid:${offeringId}`,
      `{${offeringId}}`,
      offeringId.replaceAll('-', ''),
      `${offeringId}0`,
      'a'.repeat(5000),
    ]) {
      const response = await api.call('GET', `/offerings/${encodeURIComponent(id)}`, { token })
      assertError(response, 400, 'validation_failed')
      assert.deepEqual(response.body.error.errors, [
        { detail: 'The path parameter offeringId must be a UUID.', parameter: 'offeringId' },
      ])
    }
    assertError(await api.call('GET', `/offerings/${crypto.randomUUID()}`, { token }), 404, 'not_found')
  })

  test('R008, Q006: a list rejects unknown query parameters and names its own; other operations ignore them', async () => {
    const response = await api.call('GET', '/offerings?foo=1&bar=2', { token })
    assertError(response, 400, 'validation_failed')
    assert.deepEqual(
      response.body.error.errors.map(({ parameter }: { parameter: string }) => parameter),
      ['foo', 'bar'],
    )
    assert.match(response.body.error.message, /foo does not exist; allowed names: limit, offset, direction/)
    const one = `/offerings/${offeringId}`
    const ignored = await api.call('GET', `${one}?foo=1&foo=2&__proto__=x&limit=x`, { token })
    assert.deepEqual([ignored.status, ignored.text], [200, (await api.call('GET', one, { token })).text])
    assertError(await api.call('POST', '/auth?utm_source=x', { body: {} }), 400, 'validation_failed')
  })

  test('Q096: any number of spaces may follow Bearer', async () => {
    for (const spaces of [' ', '  ', '     ']) {
      const headers = { authorization: `Bearer${spaces}${token}` }
      assert.equal((await api.call('GET', `/offerings/${offeringId}`, { headers })).status, 200)
    }
    for (const authorization of [`Bearer${token}`, `Bearer\t${token}`, `Bearer ${token} x`])
      assertError(
        await api.call('GET', `/offerings/${offeringId}`, { headers: { authorization } }),
        401,
        'token_invalid',
      )
  })

  test('R005, Q120: a body with another media type, charset or encoding is 415; other parameters are ignored', async () => {
    for (const type of [
      'application/xml',
      'application/x-www-form-urlencoded',
      'text/plain',
      'application/json; charset=latin1',
      'multipart/form-data; boundary=x',
      'application/jsonx',
      'application/json; foo=bar; charset=utf-16',
    ])
      assertError(await auth('{}', { 'content-type': type }), 415, 'unsupported_media_type')
    assertError(await auth('{}', { 'content-encoding': 'gzip' }), 415, 'unsupported_media_type')
    for (const type of [
      'application/json',
      'Application/JSON; charset=UTF-8',
      'application/json;charset="utf-8"',
      'application/json ; foo=bar',
      'application/json; charset=utf-8; profile="x"',
      'application/json;',
    ])
      assertError(await auth('{}', { 'content-type': type }), 400, 'validation_failed')
  })

  test('R006, Q029: a body that is not a JSON object is 400', async () => {
    for (const body of ['{', '[1]', '"x"', 'null', '1', '', ' ', '{"a":1}x', '{a:1}', "{'a':1}", '{"a":NaN}'])
      assertError(await auth(body), 400, 'validation_failed')
    assertError(await auth(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), 400, 'validation_failed')
    assertError(await api.call('POST', '/auth'), 400, 'validation_failed')
  })

  test('R014: no input causes a 5xx', async () => {
    const with400 = [
      '{"client_id":"\\u0000","client_secret":"x","scopes":["order.read"]}',
      '{"client_id":"\\ud800","client_secret":"x","scopes":["order.read"]}',
      '{"client_id":"x","client_secret":"\\udc00\\ud800","scopes":["order.read"]}',
      '{"__proto__":{"x":1},"client_id":"x","client_secret":"x","scopes":["order.read"]}',
      '{"\\u005f_proto__":1,"client_id":"x","client_secret":"x","scopes":["order.read"]}',
      `{"client_id":${'9'.repeat(60_000)},"client_secret":"x","scopes":["order.read"]}`,
      '{"x\\u0000y":1,"client_id":"x","client_secret":"x","scopes":["order.read"]}',
    ]
    for (const body of with400) assertError(await auth(body), 400, 'validation_failed')
    const any = [
      '{"client_id":"x","client_id":"y","client_secret":"x","scopes":["order.read"]}',
      `{"a":${'['.repeat(1000)}${']'.repeat(1000)},"client_id":"x","client_secret":"x","scopes":["order.read"]}`,
      `{"a":${'{"a":'.repeat(6000)}1${'}'.repeat(6000)},"client_id":"x","client_secret":"x","scopes":["order.read"]}`,
      '['.repeat(65_000),
      '{"constructor":{"prototype":{"x":1}},"client_id":"x","client_secret":"x","scopes":["order.read"]}',
      '\ufeff{}',
    ]
    for (const body of any) {
      const { status } = await auth(body)
      assert.ok(status >= 200 && status < 500, `${body.slice(0, 40)}: ${status}`)
    }
    assertError(await auth(`{"client_id":"${'9'.repeat(1_000_000)}"}`), 413, 'payload_too_large')
  })

  test('a body with thousands of failures quickly gets a short error', async () => {
    const bodies = [
      `{"client_id":"x","client_secret":"x","scopes":[${'0,'.repeat(32_000)}0]}`,
      `{"a":${'['.repeat(3_600)}"\\u0000"${']'.repeat(3_600)},"b":[${'"\\u0000",'.repeat(3_000)}1]}`,
      `{${Array.from({ length: 3_000 }, (_, index) => `"\\u0000${index}":1`).join()}}`,
    ]
    for (const body of bodies) {
      const startedAt = performance.now()
      const response = await auth(body)
      assertError(response, 400, 'validation_failed')
      assert.ok(response.text.length < 20_000, `${response.text.length} characters`)
      assert.ok(performance.now() - startedAt < 1_000, `${performance.now() - startedAt} ms`)
    }
  })

  test('a body nested more than 32 levels deep is 400; brackets in text do not count', async () => {
    const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}"]]}\\"[[["${']'.repeat(levels - 1)}}`
    for (const levels of [33, 1_000, 30_000]) {
      const response = await auth(nested(levels))
      assertError(response, 400, 'validation_failed')
      assert.match(response.body.error.message, /nested more than 32 levels deep/)
    }
    for (const body of [nested(32), `{"a":"${'['.repeat(1_000)}"}`, `[${'[],'.repeat(100)}[]]`])
      assert.doesNotMatch((await auth(body)).body.error.message, /nested/)
  })

  test('R242: 413 above 64 KiB, but not at exactly 64 KiB', async () => {
    const body = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`
    assertError(await auth(body(64 * 1024)), 400, 'validation_failed')
    assertError(await auth(body(64 * 1024 + 1)), 413, 'payload_too_large')
  })

  test('R223, R224, R225, R226, Q116: one error lists all failures, each with its location', async () => {
    const response = await auth({ client_secret: '', scopes: ['nope', 'order.read'], api_version: '2020-01-01' })
    assertError(response, 400, 'validation_failed')
    assert.deepEqual(response.body.error.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted(), [
      '/api_version',
      '/client_id',
      '/client_secret',
      '/scopes/0',
    ])
  })

  test('R232, R246, R247: errors below the router have the same format and headers', async () => {
    const cases: Record<string, [string | Buffer, number]> = {
      'a bad escape': ['GET /api/%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
      'a bad escape in a parameter': [
        `GET /api/offerings/%ff HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
        400,
      ],
      'a header of 20 kB': [`GET /api/auth HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
      'a request line of 20 kB': [`GET /api/${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
      'NUL in a header': ['GET /api/auth HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n', 400],
      'not HTTP': ['hello\r\n\r\n', 400],
      'no Host header': ['GET /api/nope HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
      'two Host headers': ['GET /api/nope HTTP/1.1\r\nHost: a\r\nhOst: b\r\nConnection: close\r\n\r\n', 400],
      'a length that is not a number': ['POST /api/auth HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n', 400],
      'two lengths': ['POST /api/auth HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
      'length and chunks': [
        'POST /api/auth HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
        400,
      ],
      'HTTP/9': ['GET /api/auth HTTP/9.9\r\nHost: a\r\n\r\n', 400],
      'an unknown Expect header': ['GET /api/nope HTTP/1.1\r\nHost: a\r\nExpect: x\r\nConnection: close\r\n\r\n', 404],
      'an unknown route': ['GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404],
    }
    for (const [what, [bytes, status]] of Object.entries(cases)) {
      const response = await raw(bytes)
      assert.equal(response.status, status, `${what}: ${response.text}`)
      assertResponseConventions(response, what)
    }
  })

  test('R233: a caller without a token learns nothing; rate limit before scope, scope before validation', async () => {
    assertError(await api.call('GET', '/offerings/x?y=1'), 401, 'token_missing')
    const credential = await installation.issueCredential(tenantId, { requestsPerMinute: 2 })
    const noScope = await api.token(credential, ['order.read'])
    assertError(await api.call('GET', '/offerings/x', { token: noScope }), 403, 'insufficient_scope')
    assertError(await api.call('GET', '/offerings/x', { token: noScope }), 429, 'rate_limited')
    assertError(await api.call('GET', `/offerings/x`, { token }), 400, 'validation_failed')
    assertError(await api.call('DELETE', '/offerings/x'), 405, 'method_not_allowed')
  })

  test('R244, R249, Q134: the response has the version of the token; request headers cannot select one', async () => {
    const headers = { 'st-api-version': '2020-01-01', 'api-version': '2020-01-01' }
    const response = await api.call('GET', `/offerings/${offeringId}`, { token, headers })
    assert.equal(response.headers.get('st-api-version'), '2026-07-02')
  })

  test("the caller's X-Request-Id is ignored, since it could forge log lines", async () => {
    const response = await api.call('GET', '/nope', { headers: { 'x-request-id': 'mine' } })
    assert.notEqual(response.headers.get('x-request-id'), 'mine')
  })
})
