import type { Databases } from '../../postgres/pools.ts'
import type { Transaction } from '../../postgres/transaction.ts'
import type { Header, ValidatedInput } from '../declare/operation.ts'
import { ApiError } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'
import { heavyRequestsMax, tryHeavyTurn } from './heavy-requests.sql.ts'

/** Permission of a request to run. A heavy request is alone in its tenant. */
interface Turn {
  /** The locks belong to one transaction, so the request runs on one connection. */
  readonly isPinned: boolean
  /** Takes the locks; the first statement of the transaction. */
  begin(tx: Transaction): Promise<void>
}

const lightTurn: Turn = { isPinned: false, begin: async () => undefined }

/** Tenants with a heavy request running in this API. Their next one is rejected without a connection of the pool. */
const runningIn = new WeakMap<Databases, Set<string>>()

/**
 * Runs one heavy request of a tenant at a time, across all processes, and a few per database. Rejects the next one at
 * once: a queue would occupy connections or memory for a caller that simply retries.
 */
export async function inTurn<Result>(
  databases: Databases,
  { cost }: Pick<Header, 'cost'>,
  input: ValidatedInput,
  tenantId: string,
  run: (turn: Turn) => Promise<Result>,
): Promise<Result> {
  if (!cost || (cost !== 'heavy' && !cost.isHeavy(input))) return run(lightTurn)
  const running = runningIn.get(databases) ?? new Set()
  runningIn.set(databases, running)
  if (running.has(tenantId)) throw heavyRequestRunning(ofTenant)
  running.add(tenantId)
  try {
    return await run({ isPinned: true, begin: (tx) => begin(tx, tenantId) })
  } finally {
    running.delete(tenantId)
  }
}

async function begin(tx: Transaction, tenantId: string): Promise<void> {
  const taken = await tryHeavyTurn(tx, tenantId)
  if (taken === 'taken by the tenant') throw heavyRequestRunning(ofTenant)
  if (taken === 'all taken') throw heavyRequestRunning(`The database runs ${heavyRequestsMax} such requests already.`)
}

const ofTenant = 'Another request of your tenant that reads much is still running.'

// A heavy request takes about a second at most.
const retrySeconds = 1

function heavyRequestRunning(reason: string): ApiError {
  return new ApiError(requestErrors.heavy_request_running, `${reason} Retry in ${retrySeconds} s.`, {
    headers: { 'retry-after': String(retrySeconds) },
  })
}
