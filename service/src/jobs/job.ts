import type { Static, TObject } from 'typebox'
import type { Logger } from '../base/log.ts'
import { OwnError } from '../base/log.ts'
import type { TenantDatabases } from '../db/tenant-transaction.ts'
import type { Vaults } from '../db/vault.ts'
import type { Mailer } from '../mail/mailer.ts'

/** What work in the background can reach. */
export interface JobContext extends TenantDatabases {
  readonly mailer: Mailer
  readonly vaults: Vaults
  readonly log: Logger
}

/**
 * Work that is done after the answer. A worker may die at any line and the job is then run again, so `run` must lead to
 * the same end when it starts twice.
 */
export interface Job<Payload extends TObject = TObject> {
  readonly name: string
  /** Ids only: a payload stays readable in the queue until the job is done. */
  readonly payload: Payload
  /** It runs so often that a log line each time would drown all others. */
  readonly isFrequent?: boolean
  readonly run: (payload: never, context: JobContext) => Promise<void>
}

export function job<const Payload extends TObject>(declared: {
  name: string
  payload: Payload
  isFrequent?: boolean
  run: (payload: Static<Payload>, context: JobContext) => Promise<void>
}): Job<Payload> {
  return declared
}

/** Try again later: the outside world does not answer now. The text ends up in the queue, so it names no person. */
export class RetryableJobError extends OwnError {
  override readonly name = 'RetryableJobError'
}

/** Trying again would not help. The job is given up, loudly. */
export class PermanentJobError extends OwnError {
  override readonly name = 'PermanentJobError'
}
