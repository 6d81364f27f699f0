import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly socket: Socket
  /** Time by which the request must have arrived completely. */
  arrivesBy: number
  /** Time by which the client must have read the response; undefined until it is ready and next on its connection. */
  readBy: number | undefined
}

interface TimeLimits {
  readonly requestTimeoutMs: number
  readonly uploadTimeoutMs: number
  readonly responseTimeoutMs: number
}

/**
 * All requests whose response has not been read completely. Closes the connections of clients that send or read too
 * slowly. Node has only one limit for the time in which a request arrives, and none for the time in which a client
 * reads.
 */
export class Exchanges {
  readonly #open = new Map<IncomingMessage, Exchange>()
  readonly #unansweredOf = new WeakMap<Socket, number>()
  readonly #limits: TimeLimits
  readonly #rejectSlowRequest: (socket: Socket) => void

  constructor(limits: TimeLimits, rejectSlowRequest: (socket: Socket) => void) {
    this.#limits = limits
    this.#rejectSlowRequest = rejectSlowRequest
  }

  /** Returns false if the connection has been closed because of this request. */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request
    // The parser still reports the remaining bytes that it has received.
    if (socket.destroyed) return false
    const unanswered = (this.#unansweredOf.get(socket) ?? 0) + 1
    if (unanswered > unansweredMax) {
      socket.destroy()
      return false
    }
    this.#unansweredOf.set(socket, unanswered)
    const arrivesBy = performance.now() + this.#limits.requestTimeoutMs
    this.#open.set(request, { request, response, socket, arrivesBy, readBy: undefined })
    response.once('close', () => {
      this.#unansweredOf.set(socket, (this.#unansweredOf.get(socket) ?? 1) - 1)
      if (request.complete || socket.destroyed) this.#open.delete(request)
      else this.#discardRest(request)
    })
    return true
  }

  /** A client that got its response early may still be sending. Its connection ends if it does not stop soon. */
  #discardRest(request: IncomingMessage): void {
    this.#arriveWithin(request, Math.min(this.#limits.requestTimeoutMs, discardMsMax))
    request.resume()
  }

  /** Limits the time in which a body of a known caller must arrive: others wait for the room that it occupies. */
  hurry(request: IncomingMessage): void {
    this.#arriveWithin(request, bodyMsMax)
  }

  #arriveWithin(request: IncomingMessage, ms: number): void {
    const exchange = this.#open.get(request)
    if (exchange) exchange.arrivesBy = Math.min(exchange.arrivesBy, performance.now() + ms)
  }

  /** Allows the request as much time as a file may take. */
  allowUpload(request: IncomingMessage): void {
    const exchange = this.#open.get(request)
    if (exchange) exchange.arrivesBy += this.#limits.uploadTimeoutMs - this.#limits.requestTimeoutMs
  }

  closeSlow(): void {
    const now = performance.now()
    for (const exchange of this.#open.values()) {
      const { request, response, socket } = exchange
      if (socket.destroyed || (request.complete && response.closed)) this.#open.delete(request)
      else if (!request.complete && now > exchange.arrivesBy) this.#closeSlowSender(exchange)
      else if (response.writableEnded && !response.closed) this.#closeSlowReader(exchange, now)
    }
  }

  #closeSlowSender({ request, response, socket }: Exchange): void {
    this.#open.delete(request)
    // After the first byte of a response, a second response would become part of its body.
    if (response.headersSent) socket.destroy()
    else this.#rejectSlowRequest(socket)
  }

  #closeSlowReader(exchange: Exchange, now: number): void {
    // Node gives a pipelined response its socket once the previous one has been read.
    if (exchange.readBy === undefined || exchange.response.socket === null)
      exchange.readBy = now + this.#limits.responseTimeoutMs
    else if (now > exchange.readBy) exchange.socket.destroy()
  }
}

// A body has at most 64 KiB, so only a connection too slow to work with needs longer.
export const bodyMsMax = 10_000
// Long enough for an honest client to stop, or for the rest of its large file to be read and discarded.
const discardMsMax = 10_000

// Requests that a client may send on one connection before it reads the first response. Common clients send one, and
// each costs memory until it is answered.
const unansweredMax = 100
