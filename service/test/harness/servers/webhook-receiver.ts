import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export interface ReceivedMessage {
  path: string
  id: string
  at: number
  headers: Record<string, string>
  text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read members of any body
  body: any
}

type Respond = (message: ReceivedMessage, response: ServerResponse, request: IncomingMessage) => void

interface Options {
  host?: string
  /** Serves TLS with this certificate. */
  tls?: { key: string; cert: string }
}

/**
 * An HTTP receiver on a free port. It records every message and sends the responses that the test configures. It echoes
 * the challenge of a verification without recording it, unless the test wants to see verifications, too.
 */
export class WebhookReceiver {
  readonly messages: ReceivedMessage[] = []
  readonly url: string
  readonly port: number
  /** Accepted connections, with or without a request. */
  connections = 0
  /** Challenges that it echoed. */
  challenges = 0
  /** True to record and answer verifications like any other message. */
  seesVerifications = false
  readonly #server: Server
  readonly #responses = new Map<string, Respond>()

  private constructor(server: Server, url: string) {
    this.#server = server
    this.url = url
    this.port = (server.address() as AddressInfo).port
    server.on('connection', () => {
      this.connections += 1
    })
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.#receive(request, response))
  }

  static async open({ host = '127.0.0.1', tls }: Options = {}): Promise<WebhookReceiver> {
    const server = tls ? createSecureServer(tls) : createServer()
    server.listen(0, host)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const name = host.includes(':') ? `[${host}]` : host
    return new WebhookReceiver(server, `${tls ? 'https' : 'http'}://${name}:${port}`)
  }

  /** Sets the response at a path from now on. The default is 204. */
  respond(path: string, respond: Respond | number): void {
    this.#responses.set(
      path,
      typeof respond === 'number' ? (_, response) => void response.writeHead(respond).end() : respond,
    )
  }

  at(path: string): ReceivedMessage[] {
    return this.messages.filter((message) => message.path === path)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    try {
      for await (const part of request) parts.push(part as Buffer)
    } catch {
      // The sender was killed while sending: no message has arrived.
      return
    }
    const text = Buffer.concat(parts).toString()
    const headers = request.headers as Record<string, string>
    const path = request.url ?? ''
    const id = headers['webhook-id'] ?? ''
    const message = { path, id, at: performance.now(), headers, text, body: parsed(text) }
    const { type, data } = (message.body ?? {}) as { type?: string; data?: { challenge?: string } }
    if (type === 'endpoint.verification' && !this.seesVerifications) {
      this.challenges += 1
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ challenge: data?.challenge }))
      return
    }
    this.messages.push(message)
    const respond = this.#responses.get(path)
    if (respond) respond(message, response, request)
    else response.writeHead(204).end()
  }
}

/** Verifies the signature with the library that integrators use. */
export function isSignedWith(secret: string, { text, headers }: ReceivedMessage): boolean {
  try {
    new Webhook(secret).verify(text, headers)
    return true
  } catch {
    return false
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
