import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { LoggableError } from '../../base/log.ts'
import type { KnownOperator } from '../declare/services.ts'
import type { StreamMessage } from '../declare/stream-source.ts'

// Maximum that a listener may leave unread, beyond the buffers of the connection. A reader that falls further behind is
// disconnected: it can reconnect and continue where it was, and costs us no memory in the meantime.
const unreadBytesMax = 512 * 1024
const readMsMax = 30_000
// Longest time for the last bytes.
const endMsMax = 5_000

class SlowListener extends LoggableError {
  override readonly name = 'SlowListener'
}

/**
 * One connection that receives messages. Sends each once and in order: `position` is the position of the last message
 * sent.
 */
export class StreamListener {
  readonly operator: KnownOperator
  /** The response body. */
  readonly body = new Readable({ read: () => undefined })
  position: number
  /** Time when the session or token was last found valid. */
  checkedAt: Date
  #isEnded = false

  constructor(operator: KnownOperator, position: number, now: Date) {
    this.operator = operator
    this.position = position
    this.checkedAt = now
  }

  get isClosed(): boolean {
    return this.body.destroyed || this.#isEnded
  }

  /** Starts the response. `retry` is random, so that the listeners of a stopped process do not all return at once. */
  start(): void {
    const retryMs = 1_000 + Math.floor(Math.random() * 2_000)
    this.#send(`retry: ${retryMs}\n${encoded('ready', this.position, positionData(this.position))}`)
  }

  deliver(messages: readonly EncodedMessage[]): void {
    const fresh = messages.filter(({ position }) => position > this.position)
    const last = fresh.at(-1)
    if (!last) return
    this.position = last.position
    this.#send(fresh.length === 1 ? last.text : fresh.map(({ text }) => text).join(''))
  }

  /** Tells the listener that messages up to this position are missing, so what it shows may be outdated. */
  reset(position: number): void {
    this.position = position
    this.#send(encoded('reset', position, positionData(position)))
  }

  beat(): void {
    this.#send(': \n\n')
  }

  /** Resolves when the connection has taken everything sent so far, or is closed. */
  async drained(): Promise<void> {
    const until = performance.now() + readMsMax
    while (!this.isClosed && this.body.readableLength > 0) {
      if (performance.now() > until) return this.#disconnectSlow()
      await sleep(20)
    }
  }

  end(): void {
    if (this.isClosed) return
    this.#isEnded = true
    this.body.push(null)
    setTimeout(() => this.body.destroy(), endMsMax).unref()
  }

  #send(text: string): void {
    if (this.isClosed) return
    if (this.body.readableLength > unreadBytesMax) this.#disconnectSlow()
    else this.body.push(text)
  }

  #disconnectSlow(): void {
    this.body.destroy(new SlowListener('a listener reads too slowly'))
  }
}

/** A message as all its listeners get it. */
export interface EncodedMessage {
  readonly position: number
  readonly text: string
}

export function encodeMessage({ position, type, data }: StreamMessage): EncodedMessage {
  return { position, text: encoded(type, position, data) }
}

/** JSON has no line break outside of strings, and escapes those inside. */
function encoded(type: string, position: number, data: string): string {
  return `id: ${position}\nevent: ${type}\ndata: ${data}\n\n`
}

function positionData(position: number): string {
  return JSON.stringify({ last_sequence: position })
}
