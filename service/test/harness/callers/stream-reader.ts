import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { cookieHeaders } from '../installation/api-client.ts'

export interface StreamedMessage {
  /** Sequence number of the event. */
  id: number
  event: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads arbitrary messages
  data: any
  receivedAt: number
}

interface StreamCall {
  token?: string
  cookie?: string
  headers?: Record<string, string>
  query?: string
}

/** One connection to the stream of events. */
export class StreamReader {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Everything except comments. */
  readonly messages: StreamedMessage[] = []
  comments = 0
  /** Resolves when the stream has ended, for any reason. */
  readonly ended: Promise<void>
  readonly #response: IncomingMessage
  #rest = ''
  /** Body of an error. */
  text = ''

  private constructor(response: IncomingMessage) {
    this.#response = response
    this.status = response.statusCode ?? 0
    this.headers = response.headers
    response.setEncoding('utf8')
    response.on('data', (text: string) => (this.status === 200 ? this.#read(text) : this.#readError(text)))
    // The connection was closed, by us or by the server.
    response.on('error', () => undefined)
    this.ended = new Promise((resolve) => response.once('close', resolve))
  }

  static async open(baseUrl: string, { token, cookie, headers, query = '' }: StreamCall): Promise<StreamReader> {
    const opening = Promise.withResolvers<IncomingMessage>()
    // A separate connection, which ends with the stream.
    get(`${baseUrl}/operator/events/stream${query}`, {
      agent: false,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(cookie && cookieHeaders(cookie)),
        ...headers,
      },
    })
      .once('response', opening.resolve)
      .on('error', opening.reject)
    const reader = new StreamReader(await opening.promise)
    if (reader.status !== 200) await reader.ended
    return reader
  }

  close(): void {
    this.#response.destroy()
  }

  /** Returns the position after the last message, for the next connection. */
  get lastId(): number | undefined {
    return this.messages.at(-1)?.id
  }

  #readError(text: string): void {
    this.text += text
  }

  #read(text: string): void {
    const blocks = (this.#rest + text).split('\n\n')
    this.#rest = blocks.pop() ?? ''
    for (const block of blocks) this.#add(block)
  }

  #add(block: string): void {
    const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]))
    const [id, event, data] = [fields.get('id'), fields.get('event'), fields.get('data')]
    if (id === undefined || event === undefined || data === undefined) this.comments += 1
    else this.messages.push({ id: Number(id), event, data: JSON.parse(data), receivedAt: performance.now() })
  }
}

/** Follows the stream like a browser: after each disconnect it waits, and continues with the id of the last message. */
export class StreamFollower {
  /** All events of all connections, except `ready`. */
  readonly events: StreamedMessage[] = []
  readonly #baseUrl: string
  readonly #token: string
  #current: StreamReader | undefined
  #isStopped = false
  readonly #running: Promise<void>

  constructor(baseUrl: string, token: string) {
    this.#baseUrl = baseUrl
    this.#token = token
    this.#running = this.#follow()
  }

  /** Cuts the connection. The follower connects again after up to `pauseMsMax`. */
  cut(): void {
    this.#current?.close()
  }

  get isConnected(): boolean {
    return this.#current?.messages[0]?.event === 'ready'
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.cut()
    await this.#running
  }

  async #follow(): Promise<void> {
    let lastId: number | undefined
    while (!this.#isStopped) {
      const headers = lastId === undefined ? {} : { 'last-event-id': String(lastId) }
      const reader = await StreamReader.open(this.#baseUrl, { token: this.#token, headers }).catch(() => undefined)
      if (reader?.status !== 200) {
        await sleep(100)
        continue
      }
      this.#current = reader
      if (this.#isStopped) reader.close()
      await reader.ended
      this.#current = undefined
      this.events.push(...eventsOf(reader))
      lastId = reader.lastId ?? lastId
      if (!this.#isStopped) await sleep(Math.random() * pauseMsMax)
    }
  }

  /** Everything that the follower has received so far, including the current connection. */
  get received(): StreamedMessage[] {
    return this.#current ? [...this.events, ...eventsOf(this.#current)] : this.events
  }
}

// Longer than the interval in which the server looks for events, so that some happen while the follower is away.
const pauseMsMax = 1_500

function eventsOf({ messages }: StreamReader): StreamedMessage[] {
  return messages.filter(({ event }) => event !== 'ready')
}
