import type { Clock } from '../../platform/base/clock.ts'
import type { Logger } from '../../platform/base/log.ts'
import { inTenantTransaction, type TenantDatabases } from '../../platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { Chain } from './chain.ts'

/** Context of background work on chains: the databases and the configured chains by name. */
export interface ChainContext extends TenantDatabases {
  readonly chains: ReadonlyMap<string, Chain>
  readonly clock: Clock
  readonly log: Logger
  /** Undefined outside a worker. */
  readonly cell?: string | undefined
}

/** Reads in one round trip. */
export function inTenantRead<Result>(
  context: TenantDatabases,
  tenantId: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return inTenantTransaction(context, { tenantId, access: 'read' }, work)
}

export function inTenantWrite<Result>(
  context: TenantDatabases,
  tenantId: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return inTenantTransaction(context, { tenantId, access: 'write' }, work)
}
