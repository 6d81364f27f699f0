import type { Logger } from '../../base/log.ts'
import { logFailure } from '../../base/log-failure.ts'
import { type RunningLoop, runLoop } from '../../base/run-loop.ts'
import { inTenantTransaction, type TenantDatabases } from '../../postgres/cells/tenant-transaction.ts'
import type { StreamSource } from '../declare/stream-source.ts'
import { type EncodedMessage, encodeMessage, type StreamListener } from './stream-listener.ts'

const lookEveryMs = 1_000
const pageMax = 200
/** Pages read in one poll. If a tenant has more new messages, the next poll reads the rest. */
const pagesMax = 50

interface TailOptions {
  readonly databases: TenantDatabases
  readonly log: Logger
  readonly tenantId: string
  readonly source: StreamSource
  /** The position of the latest message. */
  readonly head: number
}

/**
 * Polls the new messages of one tenant once a second and gives them to all its listeners in this process. A listener
 * that starts further back reads the messages in between by itself. It becomes live once it has reached the position of
 * the live ones.
 */
export class StreamTail {
  readonly #options: TailOptions
  readonly #live = new Set<StreamListener>()
  readonly #loop: RunningLoop
  #position: number

  constructor(options: TailOptions) {
    this.#options = options
    this.#position = options.head
    const log = options.log.child({ tenant_id: options.tenantId })
    this.#loop = runLoop('read events for streams', lookEveryMs, () =>
      logFailure(log, 'the events of a tenant could not be read', () => this.#look()),
    )
  }

  /** Sends the listener everything it has missed, then everything new. */
  async join(listener: StreamListener): Promise<void> {
    while (!listener.isClosed) {
      // No await between this comparison and adding the listener: it would miss a poll in between.
      if (listener.position >= this.#position) {
        this.#live.add(listener)
        return
      }
      const messages = await this.#read(listener.position)
      const first = messages[0]?.position
      if (first !== listener.position + 1) listener.reset(first === undefined ? this.#position : first - 1)
      listener.deliver(messages)
      await listener.drained()
    }
  }

  leave(listener: StreamListener): void {
    this.#live.delete(listener)
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async #look(): Promise<void> {
    for (let page = 0; page < pagesMax; page += 1) {
      const messages = await this.#read(this.#position)
      const last = messages.at(-1)
      if (!last) return
      this.#position = last.position
      for (const listener of this.#live) listener.deliver(messages)
      if (messages.length < pageMax) return
    }
  }

  async #read(after: number): Promise<EncodedMessage[]> {
    const { databases, tenantId, source } = this.#options
    const messages = await inTenantTransaction(databases, { tenantId, access: 'read' }, (tx) =>
      source.read(tx, tenantId, { after, limit: pageMax }),
    )
    return messages.map(encodeMessage)
  }
}
