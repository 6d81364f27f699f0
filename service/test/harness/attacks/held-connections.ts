import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { StreamReader } from '../callers/stream-reader.ts'
import { UnfinishedRequests } from '../callers/unfinished-requests.ts'
import type { TestTenant } from '../data/tenant.ts'
import { camt053 } from '../money/camt053.ts'
import { happensWithin, until } from '../wait.ts'
import type { Attack, AttackResult } from './attack.ts'
import { attackerAddress, Bystander, openConnections, unfinishedBody } from './attack-bystander.ts'
import { type AttackStack, send } from './attack-stack.ts'

const unreadConnections = 2
const requestsEach = 300

/** The responses are large, so they fill the buffers of the connection and stay in the memory of the server. */
export const pipelinedRequests: Attack = {
  name: `${unreadConnections} connections with ${requestsEach} requests each whose responses are never read`,
  isShort: true,
  run: async (stack) => {
    const bystander = await Bystander.of(stack)
    const sockets: Socket[] = []
    for (const { baseUrl } of [await stack.api(), await stack.operatorApi()]) {
      const request = `GET ${await scriptOf(baseUrl)} HTTP/1.1\r\nHost: a\r\n\r\n`
      sockets.push(...openConnections(baseUrl, unreadConnections, request.repeat(requestsEach)))
    }
    for (const socket of sockets) socket.pause()
    return bystander.callWhileOpen(sockets)
  },
}

/** The largest public file: the script of the API reference. */
async function scriptOf(baseUrl: string): Promise<string> {
  const { text } = await send(`${baseUrl}/docs`)
  const path = /src="(\/docs\/[^"]+\.js)"/.exec(text)?.[1] ?? '/docs/scalar.js'
  await send(baseUrl + path)
  return path
}

const slowBodyCount = 500

export const slowBodies: Attack = {
  name: `${slowBodyCount} requests whose bodies never arrive`,
  isShort: true,
  run: async (stack) => {
    const bystander = await Bystander.of(stack)
    return bystander.callWhileOpen(openConnections((await stack.api()).baseUrl, slowBodyCount, unfinishedBody))
  },
}

const halfClosed = 50
/** Longer than it takes without the setting: Node checks every 30 s for requests that are older than 30 s. */
const timeoutMsMax = 120_000
const closeMsMax = 15_000

/** The server gives up on a request and closes its side; the client never closes the other side. */
export const halfClosedConnections: Attack = {
  name: `${halfClosed} connections that stay half-closed after a 408`,
  run: async (stack) => {
    const api = await stack.installation.startApiProcess({ REQUEST_TIMEOUT_SECONDS: '2' })
    const port = Number(new URL(api.baseUrl).port)
    let responses = 0
    const sockets = openConnections(api.baseUrl, halfClosed, unfinishedBody, { allowHalfOpen: true })
    for (const socket of sockets)
      socket.once('data', () => {
        responses += 1
      })
    const hasEnded = () => responses + sockets.filter(({ destroyed }) => destroyed).length >= halfClosed
    try {
      await until('the server gives up on the requests', hasEnded, timeoutMsMax)
      const startedAt = performance.now()
      const isFree = await happensWithin(closeMsMax, () => openSockets(port) === 0)
      const open = openSockets(port)
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      return { isDefended: isFree, observed: `${open} of ${halfClosed} are open in the server after ${seconds} s` }
    } finally {
      for (const socket of sockets) socket.destroy()
      await api.process.kill()
    }
  },
}

/**
 * Returns the attacker's connections that the server has not closed. The kernel may list closed ones, without inode.
 */
function openSockets(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const remote = Buffer.from(attackerAddress.split('.').map(Number).toReversed()).toString('hex').toUpperCase()
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, from, to, , , , , , , inode]) => from?.endsWith(local) && to?.startsWith(remote) && inode !== '0')
    .length
}

const uploads = 4

export const tricklingUploads: Attack = {
  name: `${uploads} uploads of one tenant that arrive a byte at a time`,
  isShort: true,
  run: async (stack) => {
    const { baseUrl } = await stack.operatorApi()
    const [attacker, other] = [await stack.tenant(), await stack.tenant()]
    const [{ who: attackingAdmin }, { who: admin }] = [await stack.user(attacker), await stack.user(other)]
    await other.fixtures.offering(other.id)
    const beginning =
      `POST /operator/statements HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${attackingAdmin.token}\r\n` +
      'Content-Type: application/xml\r\nContent-Length: 1000000\r\n\r\n<'
    const sockets = openConnections(baseUrl, uploads, beginning)
    const timer = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write(' ')
    }, 200)
    try {
      await sleep(1_000)
      const { status, ms } = await send(`${baseUrl}/operator/statements`, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/xml' },
        body: camt053({ entries: [{ amount: '1.00' }] }),
      })
      const observed = `the upload of another tenant got ${status} after ${Math.round(ms)} ms`
      return { isDefended: status === 201, observed }
    } finally {
      clearInterval(timer)
      for (const socket of sockets) socket.destroy()
    }
  },
}

const batches = 16
const perBatch = 16
const probes = 20

/** Needs less than half of the requests that a user may send in a minute. */
export const unfinishedBodiesOfViewer: Attack = {
  name: `a viewer sends ${batches * perBatch} requests whose bodies never arrive`,
  isShort: true,
  run: async (stack) => {
    const api = await stack.operatorApi()
    const [tenant, other] = [await stack.tenant(), await stack.tenant()]
    const viewer = await stack.user(tenant, 'viewer')
    const requests = new UnfinishedRequests(api.baseUrl, viewer.who.token, { from: attackerAddress })
    const paths = ['/operator/notes', '/operator/search']
    return sendUnfinished(requests, { paths, callOnce: () => viewer.get('/offerings') }, await operatorOf(stack, other))
  },
}

export const unfinishedBodiesOfCredential: Attack = {
  name: `a credential sends ${batches * perBatch} requests whose bodies never arrive`,
  isShort: true,
  run: async (stack) => {
    const api = await stack.api()
    const [tenant, other] = [await stack.tenant(), await stack.tenant()]
    const requests = new UnfinishedRequests(api.baseUrl, tenant.token, { from: attackerAddress })
    const attack = { paths: ['/api/accounts'], callOnce: () => tenant.get('/events') }
    return sendUnfinished(requests, attack, async () => {
      await other.account()
      return 201
    })
  },
}

/** Reads and writes as another tenant. Resolves to the worse status. */
async function operatorOf(stack: AttackStack, other: TestTenant): Promise<() => Promise<number>> {
  const admin = await stack.user(other)
  const accountId = await other.account()
  return async () => {
    const decided = await admin.post(`/accounts/${accountId}/decision`, { kyc: 'PENDING', reason: 'x' })
    return Math.max(decided.status, (await admin.get('/offerings')).status)
  }
}

async function sendUnfinished(
  requests: UnfinishedRequests,
  { paths, callOnce }: { paths: readonly string[]; callOnce: () => Promise<unknown> },
  callAsOther: () => Promise<number>,
): Promise<AttackResult> {
  try {
    for (let batch = 0; batch < batches; batch += 1) {
      // Requests count for the cell only while the process knows the tenant's cell.
      await callOnce()
      for (let count = 0; count < perBatch; count += 1) requests.begin(paths[count % paths.length] ?? '')
      await sleep(50)
    }
    await sleep(500)
    let served = 0
    for (let probe = 0; probe < probes; probe += 1) {
      const status = await callAsOther().catch(() => 0)
      if (status === 200 || status === 201) served += 1
    }
    const observed = `${requests.count} bodies were arriving; of ${probes} requests of others ${served} were served`
    return { isDefended: served === probes, observed }
  } finally {
    requests.end()
  }
}

const users = 40
const perUser = 5

/** Opens as many streams as one process of the operator API can have. */
export const streamsOfTenant: Attack = {
  name: `${users} users of one tenant open ${perUser} streams each`,
  isShort: true,
  run: async (stack) => {
    const { baseUrl } = await stack.operatorApi()
    const [attacker, other] = [await stack.tenant(), await stack.tenant()]
    const { who } = await stack.user(other)
    const streams: StreamReader[] = []
    try {
      for (let user = 0; user < users; user += 1) {
        const { token } = await stack.installation.createOperator(attacker.id, { role: 'viewer' })
        const opened = Array.from({ length: perUser }, () => StreamReader.open(baseUrl, { token }))
        streams.push(...(await Promise.all(opened)))
      }
      const own = await StreamReader.open(baseUrl, { token: who.token })
      streams.push(own)
      const open = streams.filter(({ status }) => status === 200).length - 1
      return { isDefended: own.status === 200, observed: `${open} are open; that of another tenant got ${own.status}` }
    } finally {
      for (const stream of streams) stream.close()
    }
  },
}
