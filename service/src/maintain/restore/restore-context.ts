import type pg from 'pg'
import type { Actor } from '../../platform/api/declare/audit.ts'
import type { Config } from '../../platform/base/config.ts'
import type { Logger } from '../../platform/base/log.ts'
import type { Databases } from '../../platform/postgres/pools.ts'
import type { RestoredDatabase, StepReport } from '../../platform/postgres/restored-database.ts'
import type { PublishedHead } from '../../records/restore/record-restore.ts'
import type { Chain } from '../../tokens/chain/chain.ts'

export interface RestoreOptions {
  /** The moment, as the operator gave it to the restore. */
  readonly to: string
  readonly cells: readonly string[]
  readonly isDirectory: boolean
  /** Ids of credentials, users and tenants that were revoked after the moment. */
  readonly revoked: readonly string[]
  /** Last published end of the audit log, by tenant, if it is known. */
  readonly publishedHeads: ReadonlyMap<string, PublishedHead>
  readonly pendingSeconds: number
  readonly mayStayPending: boolean
}

export interface RestoreContext {
  readonly config: Config
  readonly chains: ReadonlyMap<string, Chain>
  readonly log: Logger
  readonly by: Actor
}

/** A restored database, which may be a cell, the directory, or both. */
export interface RestoreTarget {
  readonly url: string
  readonly cell: string | undefined
  readonly isDirectory: boolean
}

/** Resources for the steps of one closed database. */
export interface StepContext extends RestoreContext {
  readonly database: RestoredDatabase
  /** All databases, with the logins that own them. */
  readonly databases: Databases
}

/** The steps in order, by their names in the report. */
export const restoreSteps = [
  'closed',
  'residence',
  'event numbers',
  'tokens and sessions',
  'approvals',
  'payouts',
  'token actions',
  'signers',
  'unknown signers',
  'chain',
  'reconciliation',
  'audit log',
] as const
export type RestoreStep = (typeof restoreSteps)[number]

/** Runs a step in one transaction of the restored database. */
export function step(
  database: RestoredDatabase,
  name: RestoreStep,
  work: (client: pg.Client) => Promise<StepReport>,
): Promise<void> {
  return database.step(name, work)
}
