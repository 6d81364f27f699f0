import type { Pool, PoolClient } from 'pg'
import { leaseConnection } from './pool-shares.ts'
import type { PreparedStatement, Sql } from './sql.ts'
import { DatabaseUnavailable, isNotResident, translateConnectionErrors } from './sql-errors.ts'
import { type Access, Batches, readerWith, type Transaction, transactionWith } from './transaction.ts'
import { type QueryResult, sendBatch } from './wire/batch.ts'
import { lanesOf } from './wire/read-lanes.ts'

/** Sets the transaction-local settings that row-level security reads. Session settings would leak through a pooler. */
export interface Identity {
  tenantId?: string
  clientId?: string
  identityId?: string
  invitationId?: string
  deviceId?: string
  providerId?: string
}

/**
 * Runs work in a transaction. Private to this folder: other code calls inTenantTransaction or inDirectoryTransaction,
 * which set the identity. Statements issued in the same microtask share a round trip, and `begin` shares the first one.
 */
export function inTransaction<Result>(
  pool: Pool,
  { access, identity, epoch, msMax = writeMsMax, isPinned = false }: TransactionOptions,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const { tenantId } = identity
  const entry = tenantId && epoch !== undefined ? enter(tenantId, epoch, access) : identify(identity)
  if (access === 'read' && !isPinned) return work(readTransaction(pool, entry, tenantId))
  const opening = [access === 'write' ? begin : beginReadOnly, entry]
  return onOneConnection(pool, { opening, tenantId, msMax }, work)
}

interface TransactionOptions {
  readonly access: Access
  readonly identity: Identity
  /** The tenant must be in this cell with this epoch. */
  readonly epoch?: string | undefined
  readonly msMax?: number | undefined
  readonly isPinned?: boolean | undefined
}

async function onOneConnection<Result>(
  pool: Pool,
  { opening, tenantId, msMax }: { opening: readonly PreparedStatement[]; tenantId: string | undefined; msMax: number },
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const { client, release } = await leaseConnection(pool, tenantId)
  const deadline = Promise.withResolvers<never>()
  const timer = setTimeout(() => deadline.reject(new DatabaseUnavailable('The transaction took too long.')), msMax)
  let failure: Error | undefined
  try {
    return await Promise.race([workOn(client, opening, work), deadline.promise])
  } catch (error) {
    // After the deadline the work may still be running statements. Closing its connection rolls all of them back.
    failure = error instanceof DatabaseUnavailable ? error : await rollback(client)
    throw error
  } finally {
    clearTimeout(timer)
    release(failure)
  }
}

// The server limits each statement. This limits the whole transaction, so that no write locks an idempotency key for a
// minute. Only file uploads, which have no idempotency key, may take longer.
const writeMsMax = 30_000

async function workOn<Result>(
  client: PoolClient,
  firstStatements: readonly PreparedStatement[],
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  // Sent with the first statements of the work. Work without statements opens no transaction.
  let opening = firstStatements
  const batches = new Batches(async (statements) => {
    const batch = [...opening, ...statements]
    opening = []
    const results = await sendBatch(client, batch)
    return results.slice(-statements.length)
  })
  const result = await work(transactionWith(batches))
  if (opening.length === 0 || batches.isPending) await commitWith(client, batches)
  return result
}

/**
 * If the connection breaks here, it is unknown whether the transaction committed. The same applies if PostgreSQL stops
 * waiting for the standby, which it reports only as a warning. In both cases the caller gets a 503 and retries.
 */
async function commitWith(client: PoolClient, batches: Batches): Promise<void> {
  let isUncertain = false
  const onNotice = ({ severity }: { severity?: string | undefined }) => {
    isUncertain ||= severity === 'WARNING'
  }
  client.on('notice', onNotice)
  try {
    const { command } = await translateConnectionErrors(() => batches.run(commit))
    if (command !== 'COMMIT')
      throw new Error('the transaction was rolled back, because its code ignored a failed statement')
    if (isUncertain) throw new DatabaseUnavailable('The commit may not have reached the standby.')
  } finally {
    client.off('notice', onNotice)
  }
}

/** Returns the error of a failed rollback: that connection must not return to the pool. */
async function rollback(client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback')
    return undefined
  } catch (error) {
    return error as Error
  }
}

/**
 * Runs reads in one round trip: begin, identity, all statements issued in the same microtask, and commit are one batch.
 * Statements of one batch see the same snapshot; later statements run in a new transaction. In a process with lanes,
 * they travel there without `begin` and `commit`.
 */
function readTransaction(pool: Pool, entry: PreparedStatement, tenantId: string | undefined): Transaction {
  const lanes = lanesOf.get(pool)
  const batches = new Batches((statements) => {
    const onPool = async () => {
      const results = await sendOnce(pool, tenantId, [beginReadOnly, entry, ...statements, commit])
      return results.slice(2, -1)
    }
    return lanes ? lanes.read(entry, statements, { tenantId, onPool }) : onPool()
  })
  return readerWith(batches)
}

/**
 * Runs one statement without `begin`, identity and `commit`, which cost as much as a short statement. It sees no row of
 * a tenant, unless it is a function that sets an identity itself. Private to this folder.
 */
export async function inSingleStatement<Row>(pool: Pool, statement: Sql): Promise<Row | undefined> {
  return readerWith(new Batches((statements) => sendOnce(pool, undefined, statements))).row<Row>(statement)
}

async function sendOnce(
  pool: Pool,
  tenantId: string | undefined,
  statements: readonly PreparedStatement[],
): Promise<readonly QueryResult[]> {
  const { client, release } = await leaseConnection(pool, tenantId)
  try {
    const results = await sendBatch(client, statements)
    release()
    return results
  } catch (error) {
    // The state of the connection is unknown. Reads fail rarely enough to pay for a new connection, except while a
    // tenant moves.
    release(isNotResident(error) ? await rollback(client) : (error as Error))
    throw error
  }
}

const begin: PreparedStatement = { name: 'begin', text: 'begin', values: [] }
const beginReadOnly: PreparedStatement = {
  name: 'begin read only',
  text: 'begin isolation level repeatable read read only',
  values: [],
}
const commit: PreparedStatement = { name: 'commit', text: 'commit', values: [] }

/** Sets only the given members: a transaction-local setting that is not set here is empty. */
function identify(identity: Identity): PreparedStatement {
  const members = Object.entries(identity) as [keyof Identity, string][]
  return {
    name: `identify ${members.map(([name]) => name).join()}`,
    text: `select ${members.map(([name], index) => calls[name].replace('?', `$${index + 1}`)).join()}`,
    values: members.map(([, value]) => value),
  }
}

/** Sets the tenant and checks that it is in this cell. Writers also take a shared lock; readers need none. */
function enter(tenantId: string, epoch: string, access: Access): PreparedStatement {
  return { name: `enter to ${access}`, text: entryTo[access], values: [tenantId, epoch] }
}

const entryTo: Readonly<Record<Access, string>> = {
  write: 'select cell.enter($1, $2, true)',
  // Does the same as cell.enter without the cost of a call; calls it only to raise its error. Reading the residence
  // before setting the tenant would fail: row-level security would hide it.
  read: `
    select set_config('app.tenant_id', $1::uuid::text, true),
           case when exists (select from cell.residence where tenant_id = $1 and epoch = $2 and state = 'here')
             then null else cell.enter($1, $2, false) end`,
}

// The functions of the directory also set the owner of the presented row.
const calls: Readonly<Record<keyof Identity, string>> = {
  tenantId: `set_config('app.tenant_id', ?, true)`,
  clientId: 'directory.present_credential(?)',
  identityId: `set_config('app.identity_id', ?, true)`,
  invitationId: 'directory.present_invitation(?)',
  deviceId: `set_config('app.device_id', ?, true)`,
  providerId: `set_config('app.provider_id', ?, true)`,
}
