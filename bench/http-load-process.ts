// The load generator. A hand-written client, because on a small machine each microsecond that it takes is one that the
// API does not get: a general HTTP client takes four times as much.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type LoadPlan, type LoadResult, uniqueValue } from './http-load.ts'
import { readResponses } from './read-responses.ts'
import { replyWith } from './run-child.ts'

replyWith(run)

async function run(plan: LoadPlan): Promise<LoadResult> {
  // Opened before the time begins: opening hundreds of connections takes a process longer than most requests.
  const sockets = await Promise.all(plan.requestsOf.map(() => open(plan)))
  const [latencies, statuses]: [number[], number[]] = [[], []]
  const startedAt = performance.now() + (plan.perSecond ? rampMs : 0)
  const startedWith = process.cpuUsage()
  const endsAt = startedAt + plan.seconds * 1000
  await Promise.all(
    sockets.map((socket, index) => drive(plan, socket, index, { startedAt, endsAt, latencies, statuses })),
  )
  const { user, system } = process.cpuUsage(startedWith)
  return {
    latencies,
    statuses,
    seconds: (performance.now() - startedAt) / 1000,
    processorSeconds: (user + system) / 1e6,
  }
}

/** At a given rate, the requests of the first second are sent but not counted: this process is still being compiled. */
const rampMs = 1_000

async function open({ port, localAddress }: LoadPlan): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, ...(localAddress && { localAddress }) })
  await once(socket, 'connect')
  return socket
}

interface Measured {
  readonly startedAt: number
  readonly endsAt: number
  readonly latencies: number[]
  readonly statuses: number[]
}

/** One connection with one request in flight at a time, until the time is over. */
function drive(
  { expectedStatus, perSecond, requestsOf, requests: requestsMax = Infinity }: LoadPlan,
  socket: Socket,
  connection: number,
  { startedAt, endsAt, latencies, statuses }: Measured,
): Promise<void> {
  const parts = (requestsOf[connection] ?? []).map((request) => request.split(uniqueValue))
  const prefix = `${process.pid}-${Date.now()}-${connection}`
  const ended = Promise.withResolvers<void>()
  const meanGapMs = perSecond ? (requestsOf.length / perSecond) * 1000 : 0
  const expected = [expectedStatus].flat()
  let sent = 0
  let countsFrom = 0
  const sendNext = paced(meanGapMs, endsAt, (from) => {
    const [before = '', after] = parts[sent % parts.length] ?? []
    sent += 1
    countsFrom = from
    socket.write(after === undefined ? before : `${before}${prefix}-${sent}${after}`)
  })
  const end = () => {
    ended.resolve()
    socket.destroy()
  }
  readResponses(socket, (status, text) => {
    const now = performance.now()
    if (!expected.includes(status)) {
      ended.reject(new Error(`expected ${expected.join(' or ')}, got ${status}: ${text()}`))
      socket.destroy()
      return
    }
    if (countsFrom >= startedAt) {
      latencies.push(now - countsFrom)
      statuses.push(status)
    }
    if (latencies.length >= requestsMax || !sendNext()) end()
  })
  socket.once('error', ended.reject)
  socket.once('close', () => ended.reject(new Error('the API closed a connection')))
  if (!sendNext()) end()
  return ended.promise
}

/**
 * Sends the next request of a connection when it is due, with the time from which its latency counts. Returns false if
 * none is due before the end. Without a gap, a request is due at once.
 */
function paced(meanGapMs: number, endsAt: number, send: (countsFrom: number) => void): () => boolean {
  let dueAt = performance.now()
  return () => {
    const now = performance.now()
    // Exponential gaps on each connection are exponential gaps of all of them together.
    dueAt = meanGapMs > 0 ? dueAt - Math.log(1 - Math.random()) * meanGapMs : now
    if (Math.max(dueAt, now) >= endsAt) return false
    if (dueAt <= now) send(dueAt)
    // A late timer delays only the generator, not the API.
    else setTimeout(() => send(performance.now()), dueAt - now)
    return true
  }
}
