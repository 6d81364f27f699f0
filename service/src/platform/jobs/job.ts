import type { Static, TObject } from 'typebox'
import type { Clock } from '../base/clock.ts'
import type { KeyRing } from '../base/key-ring.ts'
import type { Logger } from '../base/log.ts'
import { LoggableError } from '../base/log.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { TenantDatabases } from '../postgres/cells/tenant-transaction.ts'
import type { Vaults } from '../postgres/vault.ts'

/** Services and facts that background work can use. */
export interface JobContext extends TenantDatabases {
  /** The cell in which the work runs, or `directory`. Undefined outside a worker. */
  readonly cell?: string | undefined
  readonly mailer: Mailer
  readonly vaults: Vaults
  readonly secretPeppers: KeyRing
  /** URL at which people reach the operator API, for links in mails. */
  readonly operatorUrl: string
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Work that runs after the response. A worker can be killed at any line; another one then runs the job again, so `run`
 * must be idempotent.
 */
export interface Job<Payload extends TObject = TObject, Context = JobContext> {
  readonly name: string
  /** Ids only: the payload is readable in the queue until the job is done. */
  readonly payload: Payload
  /** Logs each run at debug level, for jobs that run so often that they would flood the log. */
  readonly isFrequent?: boolean
  /**
   * A new job replaces the waiting one of the same tenant and key, so that many changes cause one run. A run that has
   * started is not replaced: it may have read its rows before the change.
   */
  readonly keyOf?: (payload: never) => string
  /** `never`, so that a queue can list jobs with different payloads. */
  readonly run: (payload: never, context: Context) => Promise<void>
}

/** A job as declared: its `run` takes the precise payload, and can be called directly. */
interface DeclaredJob<Payload extends TObject, Context> extends Job<Payload, Context> {
  readonly run: (payload: Static<Payload>, context: Context) => Promise<void>
}

/** Declares a job. `Context` is what it needs of JobContext, or more: the queue that lists the job must provide it. */
export function job<const Payload extends TObject, Context = JobContext>(declared: {
  name: string
  payload: Payload
  isFrequent?: boolean
  keyOf?: (payload: Static<Payload>) => string
  run: (payload: Static<Payload>, context: Context) => Promise<void>
}): DeclaredJob<Payload, Context> {
  return declared
}

/** Jobs that share a concurrency limit, so that slow ones cannot delay those of another queue. */
export interface JobQueue<Context extends JobContext = JobContext> {
  readonly name: string
  readonly concurrency: number
  readonly jobs: readonly Job<TObject, Context>[]
  /** Once this many jobs of a tenant run in this process, the queue starts no further one of that tenant. */
  readonly concurrencyPerTenant?: number
  /** True if only cells have jobs of this queue. */
  readonly isForCellsOnly?: boolean
  /** Has its own connections and fetches jobs in batches. For queues with a high concurrency. */
  readonly isHighVolume?: boolean
}

/**
 * A temporary failure: the worker retries the job later. The queue stores the message, so it must not name a person.
 */
export class RetryableJobError extends LoggableError {
  override readonly name = 'RetryableJobError'
}

/** A failure that no retry can fix. The worker gives up on the job and logs an error. */
export class PermanentJobError extends LoggableError {
  override readonly name = 'PermanentJobError'
}
