import type { FastifyInstance } from 'fastify'
import type { OrderPath } from '../own-order.ts'
import { progressOf } from '../progress.ts'
import { requireSession, type Shop } from '../shop.ts'

// A browser that is still there connects again, and is asked again who it is.
const streamLifeMs = 600_000
const heartbeatMs = 20_000
// More than anybody has tabs open; each holds a socket.
const streamsMax = 1_000

/** The progress of an order as server-sent events, each a piece of the page. */
export function progressStream(app: FastifyInstance, { board, sessions, ...shop }: Shop): void {
  let streams = 0

  app.get<OrderPath>('/offerings/:offeringId/orders/:orderId/progress', (request, reply) => {
    const { account } = requireSession({ board, sessions, ...shop }, request)
    const { orderId } = request.params
    const known = board.of(orderId).order
    // Only what the page itself has fetched is streamed, so this asks the service for nothing. 204 ends the stream.
    if (known?.account.id !== account.id || streams >= streamsMax) return reply.status(204).send()

    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' })
    let last = ''
    const tell = () => {
      const { order, ...news } = board.of(orderId)
      if (!order || raw.writableEnded) return
      const { headline, details, isOver } = progressOf(order, news)
      const data = JSON.stringify({ headline, details: details.text, isOver })
      if (data !== last) raw.write(`data: ${data}\n\n`)
      last = data
      if (isOver) raw.end()
    }
    streams += 1
    const stopWatching = board.watch(orderId, tell)
    const heartbeat = setInterval(() => raw.write(':\n\n'), heartbeatMs)
    const end = setTimeout(() => raw.end(), streamLifeMs)
    raw.once('close', () => {
      streams -= 1
      stopWatching()
      clearInterval(heartbeat)
      clearTimeout(end)
    })
    tell()
  })
}
