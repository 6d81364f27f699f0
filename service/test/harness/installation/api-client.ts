import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'

export interface ApiResponse {
  status: number
  headers: Headers
  text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads arbitrary responses
  body: any
}

export interface ReceivedResponse extends ApiResponse {
  bytes: Buffer
}

export interface Call {
  token?: string | undefined
  /** A session cookie, sent as a page of the same origin sends it. */
  cookie?: string | undefined
  headers?: Record<string, string>
  /** Body to send as JSON; a string or bytes are sent unchanged. */
  body?: unknown
  prefix?: '/api' | '/_api' | '/operator'
  /** Content type of a successful response; JSON unless the operation declares a file. */
  fileType?: string | undefined
}

const isErrorBody = new Ajv2020({ meta: false, validateSchema: false }).compile({
  type: 'object',
  additionalProperties: false,
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      additionalProperties: false,
      required: ['type', 'message', 'code'],
      properties: {
        type: { type: 'string', minLength: 1 },
        message: { type: 'string', minLength: 1 },
        code: { type: 'string', minLength: 1 },
        errors: { type: 'array', minItems: 1 },
      },
    },
  },
})

/** Calls the API over real HTTP, and asserts the conventions of every response in every test. */
export async function callApi(
  baseUrl: string,
  method: string,
  path: string,
  call: Call = {},
): Promise<ReceivedResponse> {
  const isRaw = typeof call.body === 'string' || call.body instanceof Uint8Array
  const received = await fetch(`${baseUrl}${call.prefix ?? '/api'}${path}`, {
    method,
    headers: {
      ...(call.token === undefined ? {} : { authorization: `Bearer ${call.token}` }),
      ...(call.cookie === undefined ? {} : cookieHeaders(call.cookie)),
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...call.headers,
    },
    ...(call.body === undefined ? {} : { body: isRaw ? (call.body as string) : JSON.stringify(call.body) }),
  })
  const bytes = Buffer.from(await received.arrayBuffer())
  const text = bytes.toString()
  const response = { status: received.status, headers: received.headers, bytes, text, body: parse(text) }
  assertResponseConventions(response, `${method} ${path}`, call.fileType)
  return response
}

/** Returns the headers that a browser and the console add to a request of a page of the same origin. */
export function cookieHeaders(cookie: string): Record<string, string> {
  return { cookie: `__Host-session=${cookie}`, 'sec-fetch-site': 'same-origin', 'x-console': '1' }
}

/** Asserts R005, R223, R224, R225, R245, R246 and R247, which apply to every response of a development environment. */
export function assertResponseConventions(
  { status, headers, body, text }: ApiResponse,
  what: string,
  fileType?: string,
): void {
  assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/, `${what}: X-Request-Id`)
  assert.equal(headers.get('referrer-policy'), 'no-referrer', `${what}: Referrer-Policy`)
  assert.equal(
    headers.get('content-security-policy'),
    "default-src 'none'; frame-ancestors 'none'",
    `${what}: Content-Security-Policy`,
  )
  assert.equal(headers.get('st-api-version'), '2026-07-02', `${what}: ST-Api-Version`)
  assert.equal(headers.get('st-api-version-beta'), 'true', `${what}: ST-Api-Version-Beta`)
  if (status === 204) return
  if (fileType !== undefined && status < 400) {
    const isBinary = fileType === 'application/octet-stream' || fileType === 'application/pdf'
    const type = isBinary ? fileType : `${fileType}; charset=utf-8`
    assert.equal(headers.get('content-type'), type, `${what}: content type`)
    assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="[a-z0-9.-]+"$/, what)
    return
  }
  assert.match(headers.get('content-type') ?? '', /^application\/json/, `${what}: content type`)
  assert.notEqual(body, undefined, `${what}: not JSON: ${text}`)
  if (status >= 400) assert.ok(isErrorBody(body), `${what}: error shape: ${text}`)
}

export function assertError(response: ApiResponse, status: number, code: string): void {
  assert.equal(`${response.status} ${response.body?.error?.code}`, `${status} ${code}`, response.text)
}

/** Asserts that the input is rejected; with `where`, that the first error is at this pointer, parameter or header. */
export function assertInvalid(response: ApiResponse, where?: string): void {
  assertError(response, 400, 'validation_failed')
  if (where === undefined) return
  const { pointer, parameter, header } = response.body.error.errors[0]
  assert.equal(pointer ?? parameter ?? header, where, response.text)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
