import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** Status of the response; undefined if the client received none. */
  status: number | undefined
}

/** A fault to inject for one request. */
export type Fault =
  | 'drop before'
  | 'drop after'
  | 'drop within'
  | { status: number; body: unknown; headers?: Record<string, string> }

export interface ProxyOptions {
  /** Called for each request, in order of arrival. */
  fault?: (seen: Seen, index: number) => Fault | undefined
  /** Changes the headers that are forwarded to the service. */
  rewrite?: (headers: Record<string, string>) => void
  /** The service's clock, if it is not the machine's. Used for the Date header. */
  now?: () => number
}

/** A proxy in front of the service that records requests and injects network faults. */
export class TestProxy {
  readonly seen: Seen[] = []
  readonly #server
  readonly #target: string
  readonly #options: ProxyOptions

  private constructor(target: string, options: ProxyOptions) {
    this.#target = target
    this.#options = options
    this.#server = createServer((request, response) => {
      // The fault dropped the connection, or the client closed it.
      this.#pass(request, response).catch(() => response.destroy())
    })
    this.#server.keepAliveTimeout = 0
  }

  static async start(target: string, options: ProxyOptions = {}): Promise<TestProxy> {
    const proxy = new TestProxy(target, options)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  count(path: string): number {
    return this.seen.filter((one) => one.path === path).length
  }

  statuses(): Record<string, number> {
    return Object.fromEntries(
      [...Map.groupBy(this.seen, ({ status }) => String(status))].map(([status, all]) => [status, all.length]),
    )
  }

  async end(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = request
    const seen: Seen = { method, path: url.replace(/\?.*/, '').replace(/^\/api/, ''), headers, status: undefined }
    const index = this.seen.push(seen) - 1
    const fault = this.#options.fault?.(seen, index)
    if (fault === 'drop before') return void request.socket.destroy()
    if (typeof fault === 'object') {
      seen.status = fault.status
      response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers })
      response.end(JSON.stringify(fault.body))
      return
    }
    const passed = await this.#forward(request, Buffer.concat(chunks))
    if (fault === 'drop after') return void request.socket.destroy()
    response.writeHead(passed.status, { ...passed.headers, 'content-length': String(passed.body.length) })
    if (fault === 'drop within') {
      response.write(passed.body.subarray(0, passed.body.length / 2), () => request.socket.destroy())
      return
    }
    seen.status = passed.status
    response.end(passed.body)
  }

  async #forward({ method, url, headers }: IncomingMessage, body: Buffer) {
    const sent: Record<string, string> = {}
    for (const [name, value] of Object.entries(headers))
      if (!hopByHop.has(name) && typeof value === 'string') sent[name] = value
    this.#options.rewrite?.(sent)
    const response = await fetch(this.#target + url, {
      method: method ?? 'GET',
      headers: sent,
      ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
    })
    const got: Record<string, string> = {}
    for (const [name, value] of response.headers) if (!hopByHop.has(name)) got[name] = value
    const { now } = this.#options
    if (now) got['date'] = new Date(now()).toUTCString()
    return { status: response.status, headers: got, body: Buffer.from(await response.arrayBuffer()) }
  }
}

const hopByHop = new Set([
  'connection',
  'keep-alive',
  'host',
  'content-length',
  'transfer-encoding',
  'content-encoding',
])
