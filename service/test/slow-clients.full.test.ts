import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, get, type IncomingMessage, type RequestOptions } from 'node:http'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Fixtures } from './harness/data/fixtures.ts'
import { type ApiProcess, TestInstallation } from './harness/installation/test-installation.ts'
import { until } from './harness/wait.ts'

const trustedProxy = '127.0.0.9'
const limits = { REQUEST_TIMEOUT_SECONDS: '2', RESPONSE_TIMEOUT_SECONDS: '2', UNIDENTIFIED_REQUESTS_MAX: '50' }
// Limits are checked once a second, and the machine may be busy.
const closedWithinMs = 30_000

/** Clients without credentials that try to make the service unavailable; each test has its own source address. */
describe('clients that send or read slowly', { concurrency: true }, () => {
  let installation: TestInstallation
  let api: ApiProcess
  let operatorApi: ApiProcess
  /** Has low limits on numbers, and the usual limits on time. */
  let smallApi: ApiProcess
  let token: string
  let operatorToken: string
  let offering: string
  const sockets: Socket[] = []

  before(async () => {
    installation = await TestInstallation.create()
    const tenantId = await installation.createTenant('A')
    offering = `/offerings/${await new Fixtures(installation).offering(tenantId)}`
    api = await installation.startApiProcess(limits)
    operatorApi = await installation.startOperatorApiProcess(limits)
    smallApi = await installation.startApiProcess({
      UNIDENTIFIED_REQUESTS_MAX: '50',
      CONNECTIONS_PER_ADDRESS_MAX: '60',
      REQUESTS_PER_CONNECTION_MAX: '3',
      TRUSTED_PROXIES: trustedProxy,
    })
    token = await api.token(await installation.issueCredential(tenantId, { requestsPerMinute: 10_000 }))
    operatorToken = (await installation.createOperator(tenantId)).token
    // The first request renders the API reference, which takes longer than any other.
    for (const { baseUrl } of [api, operatorApi]) await (await fetch(`${baseUrl}/docs/scalar.js`)).arrayBuffer()
  })
  after(async () => {
    for (const socket of sockets) socket.destroy()
    await installation.end()
  })

  /** Returns the status of a request of an identified caller to each API. */
  const statuses = async () => [
    (await api.call('GET', offering, { token })).status,
    (await operatorApi.call('GET', offering, { token: operatorToken })).status,
  ]

  /** Opens a connection that keeps its own side open whatever the server does, and reads nothing unless it `reads`. */
  async function open(from: string, to: ApiProcess, bytes: string, { reads = false } = {}): Promise<Socket> {
    const port = Number(new URL(to.baseUrl).port)
    const socket = connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen: true })
    sockets.push(socket)
    socket.on('error', () => {})
    await once(socket, 'connect')
    if (reads) socket.resume()
    else socket.pause()
    socket.write(bytes)
    return socket
  }

  /** Counts the connections from this address that the API has open, including half-closed ones. */
  function openConnections(from: string, to: ApiProcess): number {
    const port = Number(new URL(to.baseUrl).port).toString(16).toUpperCase().padStart(4, '0')
    const remote = `${Number(from.split('.')[3]).toString(16).toUpperCase().padStart(2, '0')}00007F:`
    return readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, ours = '', theirs = '']) => ours === `0100007F:${port}` && theirs.startsWith(remote))
      .filter((fields) => fields[9] !== '0').length // A socket that its process has closed has no inode.
  }

  async function getFrom(url: string, options: RequestOptions): Promise<{ response: IncomingMessage }> {
    const request = get(url, options)
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    // A connection that ends after its response is no failure.
    request.on('error', () => {})
    await once(response.resume(), 'end')
    return { response }
  }

  const closed = (from: string, to: ApiProcess) =>
    until('the API has closed the connections', () => openConnections(from, to) === 0, closedWithinMs)
  const memoryOf = (of: ApiProcess) =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${of.process.pid}/status`, 'utf8'))?.[1]) / 1024
  const pipelined = (path: string, count: number) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(count)

  test('two connections with 300 pipelined requests that are never read affect no other caller', async () => {
    const from = '127.0.0.2'
    const earlier = memoryOf(api)
    for (const to of [api, api, operatorApi, operatorApi]) await open(from, to, pipelined('/docs/scalar.js', 300))
    assert.deepEqual(await statuses(), [200, 200])
    await Promise.all([closed(from, api), closed(from, operatorApi)])
    assert.ok(memoryOf(api) - earlier < 150, `${earlier} MiB before, ${memoryOf(api)} MiB after`)
  })

  test('a client that does not read loses its connection, even with few pipelined requests', async () => {
    const from = '127.0.0.3'
    for (const to of [api, operatorApi])
      for (const count of [10, 90]) await open(from, to, pipelined('/docs/scalar.js', count))
    assert.deepEqual(await statuses(), [200, 200])
    await Promise.all([closed(from, api), closed(from, operatorApi)])
  })

  test('500 bodies that never arrive affect no other caller, and end even if the clients keep their side open', async () => {
    const from = '127.0.0.4'
    const head = (path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`
    const paths = [
      [api, '/api/auth'],
      [operatorApi, '/operator/statements'],
    ] as const
    for (const [to, path] of paths)
      await Promise.all(Array.from({ length: 500 }, () => open(from, to, head(path), { reads: true })))
    assert.deepEqual(await statuses(), [200, 200])
    await Promise.all([closed(from, api), closed(from, operatorApi)])
  })

  test('a body that stops arriving gets 408', async () => {
    const from = '127.0.0.5'
    const socket = await open(from, api, 'POST /api/auth HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{')
    const [first] = (await once(socket.resume(), 'data')) as [Buffer]
    assert.match(first.toString(), /^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/)
    await closed(from, api)
  })

  test('a body in thousands of chunks closes the connection', async () => {
    const from = '127.0.0.10'
    const head =
      'POST /api/auth HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
    const socket = await open(from, smallApi, `${head}${'1\r\n \r\n'.repeat(2_000)}`, { reads: true })
    // The ordinary time limit is ten times as long.
    await until('the API has closed the connection', () => openConnections(from, smallApi) === 0)
    assert.equal(socket.bytesRead, 0)
  })

  test('a file may arrive slowly, but only from an identified caller', async () => {
    const from = '127.0.0.6'
    const start = (authorization: string) =>
      'POST /operator/statements HTTP/1.1\r\nHost: a\r\nContent-Type: application/xml\r\nContent-Length: 9\r\n' +
      `${authorization}\r\n<`
    await open(from, operatorApi, start(''), { reads: true })
    await until('the stranger is connected', () => openConnections(from, operatorApi) === 1)
    await closed(from, operatorApi)
    const operator = await open(from, operatorApi, start(`Authorization: Bearer ${operatorToken}\r\n`))
    await sleep(4_000)
    assert.equal(openConnections(from, operatorApi), 1)
    operator.destroy()
  })

  test('requests without a caller above the limit of their address get 503 until earlier ones end', async () => {
    const from = '127.0.0.7'
    const head = 'POST /api/auth HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{'
    const waiting = await Promise.all(Array.from({ length: 50 }, () => open(from, smallApi, head)))
    const status = async () => {
      const { response } = await getFrom(`${smallApi.baseUrl}/api/nope`, { localAddress: from, agent: false })
      return response.statusCode
    }
    await until('the limit is reached', async () => (await status()) === 503)
    assert.equal((await fetch(`${smallApi.baseUrl}/api/nope`)).status, 404)
    for (const socket of waiting) socket.destroy()
    await until('requests are accepted again', async () => (await status()) === 404)
  })

  test('connections above the limit of an address are closed; other addresses and a trusted proxy are not limited', async () => {
    const from = '127.0.0.8'
    const idle = await Promise.all(Array.from({ length: 60 }, () => open(from, smallApi, '')))
    const last = await open(from, smallApi, '', { reads: true })
    await until('the last is closed', () => last.readableEnded)
    assert.equal((await fetch(`${smallApi.baseUrl}/livez`)).status, 200)
    await Promise.all(Array.from({ length: 61 }, () => open(trustedProxy, smallApi, '')))
    await until('all of the proxy are open', () => openConnections(trustedProxy, smallApi) === 61)
    for (const socket of idle) socket.destroy()
    await closed(from, smallApi)
    const next = await open(from, smallApi, 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n')
    assert.match(String((await once(next.resume(), 'data'))[0]), /^HTTP\/1\.1 200 /)
  })

  test('the last request on a connection is served, and its response closes the connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const responses: unknown[] = []
    for (let count = 0; count < 5; count += 1) {
      const { response } = await getFrom(`${smallApi.baseUrl}/livez`, { agent })
      responses.push([response.statusCode, response.headers.connection])
    }
    agent.destroy()
    const kept = [200, 'keep-alive']
    assert.deepEqual(responses, [kept, kept, [200, 'close'], kept, kept])
  })
})
