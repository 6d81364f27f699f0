import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface PageRequest {
  /** Path without the query. */
  path: string
  cookie: string
  body: string
}

interface PageResponse {
  status?: number
  headers?: OutgoingHttpHeaders
  html?: string
}

/** A small application for a browser: it records each request, and responds with a page as the test configures. */
export class PageServer {
  /** Uses a name, because browsers accept no IP address as the domain of a passkey. */
  readonly origin: string
  readonly port: number
  readonly requests: PageRequest[] = []
  readonly #server: Server

  private constructor(server: Server, pages: Record<string, PageResponse>) {
    this.#server = server
    this.port = (server.address() as AddressInfo).port
    this.origin = `http://localhost:${this.port}`
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void this.#respond(request, response, pages)
    })
  }

  /** Opens the server. Paths that are not in `pages` respond with an empty page. */
  static async open(pages: Record<string, PageResponse> = {}): Promise<PageServer> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new PageServer(server, pages)
  }

  at(path: string): PageRequest[] {
    return this.requests.filter((request) => request.path === path)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #respond(request: IncomingMessage, response: ServerResponse, pages: Record<string, PageResponse>) {
    const path = new URL(request.url ?? '', this.origin).pathname
    this.requests.push({ path, cookie: request.headers.cookie ?? '', body: await text(request) })
    const { status = 200, headers, html = emptyPage } = pages[path] ?? {}
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html)
  }
}

const emptyPage = '<!doctype html><link rel="icon" href="data:,"><title>A page</title>'
