import type { FastifyInstance } from 'fastify'
import type { OrderPath } from '../own-order.ts'
import { progressOf } from '../progress.ts'
import { requireSession, type Shop } from '../shop.ts'

// After this time the browser reconnects, and the shop checks its session again.
const streamLifetimeMs = 600_000
const heartbeatMs = 20_000
// Each stream uses a socket.
const streamsMax = 1_000

/** Streams the progress of an order as server-sent events with HTML fragments. */
export function progressStream(app: FastifyInstance, { orders, sessions, ...shop }: Shop): void {
  let streams = 0

  app.get<OrderPath>('/offerings/:offeringId/orders/:orderId/progress', (request, reply) => {
    const { account } = requireSession({ orders, sessions, ...shop }, request)
    const { orderId } = request.params
    const known = orders.of(orderId).order
    // The page has already fetched the order, so this needs no request to the service. A 204 stops the EventSource.
    if (known?.account.id !== account.id || streams >= streamsMax) return reply.status(204).send()

    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' })
    let last = ''
    const send = () => {
      const { order, ...state } = orders.of(orderId)
      if (!order || raw.writableEnded) return
      const { headline, details, isOver } = progressOf(order, state)
      const data = JSON.stringify({ headline, details: details.text, isOver })
      if (data !== last) raw.write(`data: ${data}\n\n`)
      last = data
      if (isOver) raw.end()
    }
    streams += 1
    const unsubscribe = orders.subscribe(orderId, send)
    const heartbeat = setInterval(() => raw.write(':\n\n'), heartbeatMs)
    const end = setTimeout(() => raw.end(), streamLifetimeMs)
    raw.once('close', () => {
      streams -= 1
      unsubscribe()
      clearInterval(heartbeat)
      clearTimeout(end)
    })
    send()
  })
}
