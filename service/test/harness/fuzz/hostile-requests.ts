import { Buffer } from 'node:buffer'

/** A request that an attacker without credentials can send, as bytes. The connection closes after its response. */
export interface HostileRequest {
  readonly name: string
  readonly bytes: Buffer
}

/** Requests that are as expensive as possible for their size. None has a valid token, secret or signature. */
export function hostileRequests(): HostileRequest[] {
  return [...lines, ...headers, ...credentials, ...contentTypes, ...bodies].map(([name, bytes]) => ({
    name,
    bytes: Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes, 'latin1'),
  }))
}

type Case = readonly [name: string, bytes: string | Buffer]

// The limit of the request line and headers is 16 KiB, that of a body 64 KiB.
const headSize = 15_000
const bodySize = 64_000
const id = '019f2245-6100-7abc-8def-0123456789ab'

function get(path: string, more = '', method = 'GET'): string {
  return `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${more}\r\n`
}

function post(body: string | Buffer, { path = '/api/auth', type = 'application/json', more = '' } = {}): Buffer {
  const bytes = Buffer.from(body as string)
  const head =
    `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: ${type}\r\n` +
    `Content-Length: ${bytes.length}\r\n${more}\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes])
}

/** Repeats a part as often as it fits into the size. */
const fill = (size: number, part: (index: number) => string) => {
  let text = ''
  for (let index = 0; text.length < size; index += 1) text += part(index)
  return text
}

const lines: readonly Case[] = [
  ['a long path', get(`/api/${'a'.repeat(headSize)}`)],
  ['many path segments', get(`/api${'/a'.repeat(headSize / 2)}`)],
  ['many segments of a known path', get(`/api/offerings${`/${id}/orders`.repeat(300)}`)],
  ['many slashes', get('/'.repeat(headSize))],
  ['many dots', get(`/api/${'../'.repeat(headSize / 3)}`)],
  ['a long path parameter', get(`/api/offerings/${'a'.repeat(headSize)}`)],
  ['percent-encoded path', get(`/api/${'%61'.repeat(headSize / 3)}`)],
  ['percent-encoded path parameter', get(`/api/offerings/${'%61'.repeat(headSize / 3)}`)],
  ['invalid percent-encodings', get(`/api/offerings/${'%ff'.repeat(headSize / 3)}`)],
  ['encoded slashes', get(`/api/offerings/${'%2f'.repeat(headSize / 3)}`)],
  ['many query parameters', get(`/api/offerings?${fill(headSize, (index) => `a${index}=&`)}`)],
  ['one query parameter many times', get(`/api/offerings?${'a&'.repeat(headSize / 2)}`)],
  ['brackets in the query', get(`/api/offerings?a${'[a]'.repeat(headSize / 3)}=1`)],
  ['percent-encoded query', get(`/api/offerings?a=${'%20'.repeat(headSize / 3)}`)],
  ['plus signs in the query', get(`/api/offerings?a=${'+'.repeat(headSize)}`)],
  ['query of a public operation', get(`/api/auth?${fill(headSize, (index) => `a${index}=&`)}`, '', 'POST')],
  ['an absolute URL', get(`http://${'a.'.repeat(headSize / 2)}/api/offerings`)],
  ...['PROPFIND', 'TRACE', 'DELETE', 'OPTIONS', 'HEAD', 'QUERY', 'NOPE', 'M-SEARCH'].map(
    (method): Case => [`the method ${method}`, get('/api/auth', '', method)],
  ),
  ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['an upgrade', get('/api/offerings', 'Upgrade: websocket\r\nSec-WebSocket-Key: eA==\r\n')],
  ['not HTTP', `${'\x16\x03\x01'.repeat(100)}\r\n\r\n`],
]

const headers: readonly Case[] = [
  [
    'many headers',
    get(
      '/api/offerings',
      fill(headSize, (index) => `a${index}: 1\r\n`),
    ),
  ],
  ['one header many times', get('/api/offerings', 'a: 1\r\n'.repeat(headSize / 6))],
  ['many cookies', get('/api/offerings', `Cookie: ${'a=1; '.repeat(headSize / 5)}\r\n`)],
  ['a long header', get('/api/offerings', `X: ${'a'.repeat(headSize)}\r\n`)],
  ['a header of spaces', get('/api/offerings', `X: a${' '.repeat(headSize)}a\r\n`)],
  ['headers above the limit', get('/api/offerings', `X: ${'a'.repeat(17_000)}\r\n`)],
  ['many hosts', get('/api/offerings', 'Host: a\r\n'.repeat(headSize / 9))],
  ['a long host', `GET /api/offerings HTTP/1.1\r\nHost: ${'a.'.repeat(headSize / 2)}\r\nConnection: close\r\n\r\n`],
  ['many forwarded addresses', get('/api/offerings', `X-Forwarded-For: ${'1.1.1.1, '.repeat(headSize / 9)}\r\n`)],
  ['a long idempotency key', get('/api/accounts', `X-Idempotency-Key: ${'a'.repeat(headSize)}\r\n`, 'POST')],
  [
    'many accepted encodings',
    get('/docs/scalar.js', `Accept-Encoding: ${'br;q=0, '.repeat(headSize / 8)}\r\n`, 'HEAD'),
  ],
  ['many entity tags', get('/docs', `If-None-Match: ${'"a", '.repeat(headSize / 5)}\r\n`, 'HEAD')],
  ['an unknown expectation', get('/api/offerings', `Expect: ${'a'.repeat(headSize)}\r\n`)],
]

const base64 = (length: number) => Buffer.alloc(length, 7).toString('base64url')
const jwt = (header: unknown, payload: unknown, signature = base64(32)) =>
  [...[header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')), signature].join('.')

const credentials: readonly Case[] = [
  ['no token', get('/api/offerings')],
  ...(
    [
      ['a long token', `Bearer ${'a'.repeat(headSize)}`],
      ['a token of dots', `Bearer ${'.'.repeat(headSize)}`],
      ['spaces before the token', `Bearer ${' '.repeat(headSize)}a`],
      ['spaces in the token', `Bearer a${' '.repeat(headSize)}a`],
      ['a long Basic credential', `Basic ${base64((headSize * 3) / 4)}`],
      ['a long unknown scheme', `${'a'.repeat(headSize)} x`],
      ['a token with a wrong signature', `Bearer ${jwt({ alg: 'HS256', kid: 'development' }, { client_id: id })}`],
      ['a token without a signature', `Bearer ${jwt({ alg: 'none' }, { client_id: id }, '')}`],
      ['a token with an unknown key', `Bearer ${jwt({ alg: 'HS256', kid: 'x'.repeat(1_000) }, {})}`],
      ['a token with a long payload', `Bearer ${jwt({ alg: 'HS256', kid: 'development' }, { a: 'a'.repeat(10_000) })}`],
      [
        'a token with a deep header',
        `Bearer ${Buffer.from('['.repeat(10_000)).toString('base64url')}.${base64(9)}.${base64(32)}`,
      ],
      ['a personal access token', `Bearer itp_${base64(48)}`],
    ] as const
  ).map(([name, authorization]): Case => [name, get('/api/offerings', `Authorization: ${authorization}\r\n`)]),
]

const contentTypes: readonly Case[] = (
  [
    ['spaces after a charset', `application/json; charset=utf-8${' '.repeat(headSize)}x`],
    ['spaces before a charset', `application/json;${' '.repeat(headSize)}charset=latin1`],
    ['many semicolons', `application/json${';'.repeat(headSize)}x`],
    ['many parameters', `application/json${fill(headSize, (index) => `;a${index}=1`)}`],
    ['many charsets', `application/json${';charset=utf-8'.repeat(headSize / 14)}`],
    ['a long quoted parameter', `application/json; a="${'\\"'.repeat(headSize / 2)}`],
    ['a long type', `${'a'.repeat(headSize)}/json`],
    ['many slashes in a type', `application${'/'.repeat(headSize)}`],
  ] as const
).map(([name, type]): Case => [`Content-Type: ${name}`, post('{}', { type })])

/** Returns a body that is valid up to the additional members. */
const signIn = (more: string) => `{"client_id":"x","client_secret":"x","scopes":["order.read"],${more}}`

const bodies: readonly Case[] = [
  ['arrays 32,000 deep', post(`${'['.repeat(32_000)}${']'.repeat(32_000)}`)],
  ['arrays 64,000 deep that never end', post('['.repeat(bodySize))],
  ['objects 10,000 deep', post(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`)],
  ['arrays 32 deep, many times', post(signIn(`"a":[${fill(60_000, () => `${'['.repeat(29)}${']'.repeat(29)},`)}1]`))],
  ['a long text', post(signIn(`"a":"${'a'.repeat(60_000)}"`))],
  ['a long text of escapes', post(signIn(`"a":"${'\\u0041'.repeat(10_000)}"`))],
  ['a long text of quotes', post(signIn(`"a":"${'\\"'.repeat(30_000)}"`))],
  ['a long client id', post(`{"client_id":"${'a'.repeat(60_000)}","client_secret":"x","scopes":["order.read"]}`)],
  ['a long secret', post(`{"client_id":"x","client_secret":"${'a'.repeat(60_000)}","scopes":["order.read"]}`)],
  ['a version of 60 kB', post(signIn(`"api_version":"${'a'.repeat(60_000)}"`))],
  [
    'many scopes',
    post(`{"client_id":"x","client_secret":"x","scopes":[${'"order.read",'.repeat(4_500)}"order.read"]}`),
  ],
  ['many wrong scopes', post(`{"client_id":"x","client_secret":"x","scopes":[${'0,'.repeat(30_000)}0]}`)],
  ['many members', post(signIn(fill(60_000, (index) => `"a${index}":1,`).slice(0, -1)))],
  ['one member many times', post(signIn(`${'"a":1,'.repeat(10_000)}"a":1`))],
  ['many members of numbers', post(signIn(fill(60_000, (index) => `"${index * 7}":1,`).slice(0, -1)))],
  ['many invalid member names', post(`{${fill(60_000, (index) => `"\\u0000${index}":1,`).slice(0, -1)}}`)],
  ['many empty objects', post(signIn(`"a":[${'{},'.repeat(20_000)}{}]`))],
  ['a number of 60,000 digits', post(signIn(`"a":${'9'.repeat(60_000)}`))],
  ['a fraction of 60,000 digits', post(signIn(`"a":0.${'1'.repeat(60_000)}`))],
  ['many long numbers', post(signIn(`"a":[${'1.2345678901234567e-300,'.repeat(2_500)}1]`))],
  ['only spaces', post(' '.repeat(bodySize))],
  ['invalid UTF-8', post(Buffer.alloc(bodySize, 0xff))],
  ['NUL bytes', post(Buffer.alloc(bodySize))],
  ['a byte order mark', post('\ufeff{}')],
  ['a body above the limit', post('a'.repeat(70_000))],
  ['a body for an unknown path', post('a'.repeat(bodySize), { path: '/api/nope' })],
  ['a body without a token', post('a'.repeat(bodySize), { path: '/api/accounts' })],
  ['a compressed body', post('a'.repeat(bodySize), { more: 'Content-Encoding: gzip\r\n' })],
  [
    'a payment notification with many signatures',
    post('{}', {
      path: `/api/payment-notifications/${id}`,
      more: `Stripe-Signature: t=1${',v1=aa'.repeat(2_000)}\r\nWebhook-Signature: ${'v1,aa '.repeat(200)}\r\n`,
    }),
  ],
  [
    'a large payment notification',
    post('['.repeat(bodySize), {
      path: `/api/payment-notifications/${id}`,
      more: `Stripe-Signature: t=1,v1=aa\r\n`,
    }),
  ],
  [
    'many chunks',
    `POST /api/auth HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(700)}0\r\n\r\n`,
  ],
  [
    'long chunk extensions',
    `POST /api/auth HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${`1;${'a'.repeat(1_000)}\r\n \r\n`.repeat(10)}0\r\n\r\n`,
  ],
]
