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
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  body: any
}

type Answer = (message: ReceivedMessage, response: ServerResponse, request: IncomingMessage) => void

interface Options {
  host?: string
  /** With these it speaks TLS. */
  tls?: { key: string; cert: string }
}

/** A receiver as an integrator would write it, on a free port, that keeps what it gets and answers what it is told. */
export class WebhookReceiver {
  readonly messages: ReceivedMessage[] = []
  readonly url: string
  readonly port: number
  /** Connections there were, whether or not anything came through them. */
  connections = 0
  readonly #server: Server
  readonly #answers = new Map<string, Answer>()

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

  /** What is answered at a path from now on; without it, 204. */
  answer(path: string, answer: Answer | number): void {
    this.#answers.set(
      path,
      typeof answer === 'number' ? (_, response) => void response.writeHead(answer).end() : answer,
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
      // The sender died in the middle of it: nothing has arrived.
      return
    }
    const text = Buffer.concat(parts).toString()
    const headers = request.headers as Record<string, string>
    const path = request.url ?? ''
    const id = headers['webhook-id'] ?? ''
    const message = { path, id, at: performance.now(), headers, text, body: parsed(text) }
    this.messages.push(message)
    const answer = this.#answers.get(path)
    if (answer) answer(message, response, request)
    else response.writeHead(204).end()
  }
}

/** Whether one of the signatures is of this secret, as the integrator's library says. */
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
