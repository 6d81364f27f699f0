import type { Config } from '../../base/config.ts'
import type { Logger } from '../../base/log.ts'
import { logFailure } from '../../base/log-failure.ts'
import { gauge } from '../../base/metric.ts'
import { type RunningLoop, runLoop } from '../../base/run-loop.ts'
import { type Party, Shares } from '../../base/shares.ts'
import { inTenantTransaction } from '../../postgres/cells/tenant-transaction.ts'
import { hasDutySomewhere } from '../declare/duties.ts'
import type { OperatorStream } from '../declare/operation.ts'
import type { KnownOperator, PipelineServices } from '../declare/services.ts'
import { ApiError, unavailable } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import { StreamListener } from './stream-listener.ts'
import { StreamTail } from './stream-tail.ts'

export type StreamLimits = Pick<Config, 'streamsMax' | 'streamsPerTenantMax' | 'streamsPerPersonMax'>

interface StreamOptions {
  readonly limits: StreamLimits
  readonly isDraining: () => boolean
  readonly log: Logger
}

type StreamServices = Pick<PipelineServices, 'databases' | 'placement' | 'clock' | 'operatorAgain'>

interface OpenStream {
  readonly listener: StreamListener
  readonly operation: OperatorStream
}

const tickMs = 1_000
// Proxies close connections that are silent for about a minute, and a listener recognizes a dead one by its silence.
const beatTicks = 15
const checkTicks = 10
/** A stream ends once its caller could not be checked for this long: the directory may have revoked them. */
const uncheckedMsMax = 25_000
/** A listener that has missed more starts at the head and reloads its view, which is less work for both sides. */
const missedMax = 10_000

/**
 * The open streams of this process. They have separate limits and do not count as requests in progress. Each ends when
 * the process drains, and within 30 s after its caller has lost the session, token or duty.
 */
export class Streams {
  readonly #services: StreamServices
  readonly #options: StreamOptions
  readonly #open = new Set<OpenStream>()
  readonly #shares: Shares
  readonly #tails = new Map<string, { tail: StreamTail; listeners: number }>()
  #loop: RunningLoop | undefined
  #ticks = 0

  constructor(services: StreamServices, options: StreamOptions) {
    this.#services = services
    this.#options = options
    const { streamsMax: all, streamsPerTenantMax: tenant, streamsPerPersonMax: caller } = options.limits
    this.#shares = new Shares({ all, tenant, caller })
  }

  /** Opens a stream after the given position, or after the latest message. Throws if there are too many. */
  async open(operation: OperatorStream, operator: KnownOperator, after: number | undefined): Promise<StreamListener> {
    this.#requireRoom(operator)
    const { tenantId } = operator
    const { source } = operation
    const listener = new StreamListener(operator, after ?? 0, this.#services.clock())
    const stream = { listener, operation }
    // Counted before the first await, so that many at once cannot exceed the limits.
    this.#add(stream)
    try {
      const head = await inTenantTransaction(this.#services, { tenantId, access: 'read' }, (tx) =>
        source.head(tx, tenantId),
      )
      if (after === undefined) listener.position = head
      listener.start()
      if (listener.position > head || head - listener.position > missedMax) listener.reset(head)
      this.#join(stream, head)
      return listener
    } catch (error) {
      listener.body.destroy()
      throw error
    }
  }

  /** Ends all streams. */
  async end(): Promise<void> {
    for (const { listener } of this.#open) listener.end()
    await this.#loop?.stop()
  }

  #requireRoom(operator: KnownOperator): void {
    const { limits, isDraining } = this.#options
    if (isDraining()) throw unavailable('This process is about to stop. Connect again.')
    const reached = this.#shares.reached(partyOf(operator))
    if (reached === 'all') throw unavailable('Too many streams are open. Retry shortly.')
    if (!reached) return
    const rule =
      reached === 'caller'
        ? `A person can have at most ${limits.streamsPerPersonMax} open streams. Close another one first.`
        : `All users of a tenant together can have at most ${limits.streamsPerTenantMax} open streams here.`
    throw new ApiError(requestErrors.too_many_streams, rule, { headers: { 'retry-after': '30' } })
  }

  #add(stream: OpenStream): void {
    this.#open.add(stream)
    const leave = this.#shares.take(partyOf(stream.listener.operator))
    openStreams.record(this.#open.size, {})
    stream.listener.body.once('close', () => {
      this.#open.delete(stream)
      leave()
      openStreams.record(this.#open.size, {})
    })
    // One loop for all; it stops with the last stream, so that an idle process has no timer.
    this.#loop ??= runLoop('check streams', tickMs, () => this.#tick())
  }

  #join({ listener, operation }: OpenStream, head: number): void {
    if (listener.isClosed) return
    const { tenantId } = listener.operator
    const { log } = this.#options
    const key = `${operation.header.id} ${tenantId}`
    const { source } = operation
    const known = this.#tails.get(key)
    const tail = known?.tail ?? new StreamTail({ databases: this.#services, log, tenantId, source, head })
    this.#tails.set(key, { tail, listeners: (known?.listeners ?? 0) + 1 })
    listener.body.once('close', () => {
      tail.leave(listener)
      const listeners = (this.#tails.get(key)?.listeners ?? 1) - 1
      if (listeners > 0) this.#tails.set(key, { tail, listeners })
      else {
        this.#tails.delete(key)
        void tail.stop()
      }
    })
    void tail.join(listener).catch((error: unknown) => {
      log.warn({ err: error, tenant_id: tenantId }, 'a listener could not catch up')
      listener.end()
    })
  }

  async #tick(): Promise<void> {
    const { isDraining, log } = this.#options
    if (isDraining()) for (const { listener } of this.#open) listener.end()
    this.#ticks += 1
    if (this.#ticks % beatTicks === 0) for (const { listener } of this.#open) listener.beat()
    if (this.#ticks % checkTicks === 0)
      for (const stream of this.#open)
        await logFailure(log, 'the caller of a stream could not be checked', () => this.#check(stream))
    if (this.#open.size > 0) return
    void this.#loop?.stop()
    this.#loop = undefined
  }

  /** Ends the stream of a caller who could not open it again. */
  async #check({ listener, operation }: OpenStream): Promise<void> {
    const now = this.#services.clock()
    try {
      const operator = await this.#services.operatorAgain(listener.operator.proof)
      const isAdmitted =
        operator && !operator.isRevoked && operator.expiresAt > now && hasDutySomewhere(operator, operation.header.duty)
      if (isAdmitted) listener.checkedAt = now
      else listener.end()
    } catch (error) {
      if (now.getTime() - listener.checkedAt.getTime() >= uncheckedMsMax) listener.end()
      throw error
    }
  }
}

/** A person may be a user of several tenants. */
function partyOf({ tenantId, identityId, userId }: KnownOperator): Party {
  return { tenantId, callerId: identityId ?? userId }
}

const openStreams = gauge('open_streams', {
  description: 'Streams of server-sent events that are open in this process',
})
openStreams.record(0, {})
