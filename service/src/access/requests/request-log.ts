import type { LoggedRequest, RequestLogger } from '../../platform/api/server/logged-request.ts'
import { newRowId } from '../../platform/base/ids.ts'
import type { Logger } from '../../platform/base/log.ts'
import { counter } from '../../platform/base/metric.ts'
import { type RunningLoop, runLoop } from '../../platform/base/run-loop.ts'
import { inTenantTransaction, type TenantDatabases } from '../../platform/postgres/cells/tenant-transaction.ts'
import { insertRequests, type RequestRow } from './request-log.sql.ts'

const flushMs = 1_000
const bufferedMax = 10_000
const keyLengthMax = 255

const lost = counter('request_log_lost', {
  description: 'Requests missing from the request log because its buffer was full or the database failed',
})

/**
 * Logs the requests of integrators, so that they can debug their calls. Buffers entries in memory and writes them once
 * a second, one transaction per tenant, after the responses were sent: no request waits for it, and a killed process
 * loses its last second. If the database cannot keep up, entries are dropped and counted, because logging must not
 * slow down requests.
 */
export class RequestLog implements RequestLogger {
  readonly #databases: TenantDatabases
  readonly #log: Logger
  #buffer = new Map<string, RequestRow[]>()
  #count = 0
  #flushing: RunningLoop | undefined

  constructor(databases: TenantDatabases, log: Logger) {
    this.#databases = databases
    this.#log = log
  }

  start(): void {
    this.#flushing = runLoop('write the request log', flushMs, () => this.#flush())
  }

  /** Writes the buffered entries and stops the loop. */
  async stop(): Promise<void> {
    await this.#flushing?.stop()
    await this.#flush()
  }

  add(tenantId: string, request: LoggedRequest): void {
    if (this.#count >= bufferedMax) {
      lost.add(1, {})
      return
    }
    const buffered = this.#buffer.get(tenantId) ?? []
    const idempotencyKey = request.idempotencyKey?.slice(0, keyLengthMax) ?? null
    buffered.push({ ...request, idempotencyKey, id: newRowId() })
    this.#buffer.set(tenantId, buffered)
    this.#count += 1
  }

  async #flush(): Promise<void> {
    const buffer = this.#buffer
    this.#buffer = new Map()
    this.#count = 0
    for (const [tenantId, requests] of buffer) {
      try {
        await inTenantTransaction(this.#databases, { tenantId, access: 'write' }, (tx) =>
          insertRequests(tx, tenantId, requests),
        )
      } catch (error) {
        lost.add(requests.length, {})
        this.#log.warn({ err: error, count: requests.length }, 'cannot write the request log; dropped its entries')
      }
    }
  }
}
