import { metrics } from '@opentelemetry/api'
import type { LoggedRequest, RequestLogger } from '../../platform/api/server/logged-request.ts'
import { newRowId } from '../../platform/base/ids.ts'
import type { Logger } from '../../platform/base/log.ts'
import { type RunningLoop, runLoop } from '../../platform/base/run-loop.ts'
import { inTenantTransaction, type TenantDatabases } from '../../platform/db/tenant-transaction.ts'
import { insertRequests, type RequestRow } from './request-log.sql.ts'

const flushMs = 1_000
const waitingMax = 10_000
const keyLengthMax = 255

/**
 * Keeps what integrators have asked for, so that they can look it up. Written once a second for each tenant that was
 * there, after the answers: no request waits for it, and the last second of a process that is killed is lost. When the
 * database does not keep up, what is too much is counted and let go, since a log must not stop what it tells of.
 */
export class RequestLog implements RequestLogger {
  readonly #databases: TenantDatabases
  readonly #log: Logger
  readonly #lost = metrics.getMeter('http').createCounter('request_log_lost', {
    description: 'Requests that are not in the request log, for want of room or of a database',
  })
  #waiting = new Map<string, RequestRow[]>()
  #count = 0
  #flushing: RunningLoop | undefined

  constructor(databases: TenantDatabases, log: Logger) {
    this.#databases = databases
    this.#log = log
  }

  start(): void {
    this.#flushing = runLoop(flushMs, () => this.#flush())
  }

  /** Writes what is there and ends. */
  async stop(): Promise<void> {
    await this.#flushing?.stop()
    await this.#flush()
  }

  add(tenantId: string, request: LoggedRequest): void {
    if (this.#count >= waitingMax) {
      this.#lost.add(1)
      return
    }
    const waiting = this.#waiting.get(tenantId) ?? []
    const idempotencyKey = request.idempotencyKey?.slice(0, keyLengthMax) ?? null
    waiting.push({ ...request, idempotencyKey, id: newRowId() })
    this.#waiting.set(tenantId, waiting)
    this.#count += 1
  }

  async #flush(): Promise<void> {
    const taken = this.#waiting
    this.#waiting = new Map()
    this.#count = 0
    for (const [tenantId, requests] of taken) {
      try {
        await inTenantTransaction(this.#databases, { tenantId, access: 'write' }, (tx) =>
          insertRequests(tx, tenantId, requests),
        )
      } catch (error) {
        this.#lost.add(requests.length)
        this.#log.warn({ err: error, count: requests.length }, 'requests could not be logged and are let go')
      }
    }
  }
}
