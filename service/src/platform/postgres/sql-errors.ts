import { LoggableError } from '../base/log.ts'

/** The database is temporarily unavailable. The request itself is valid, and the caller may retry it. */
export class DatabaseUnavailable extends LoggableError {
  override readonly name = 'DatabaseUnavailable'
}

/** Converts connection errors and temporary failures of the database to DatabaseUnavailable. Rethrows all others. */
export async function translateConnectionErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (isTemporary(error)) throw new DatabaseUnavailable('The database is unavailable.', { cause: error })
    throw error
  }
}

const socketErrors: ReadonlySet<string> = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT',
]) // biome-ignore format: a list reads better dense

/** pg throws plain errors without a code here, so only the message identifies them. */
const driverMessages: readonly string[] = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after calling end',
]

/** Read-only server after a failover; lock, statement or idle timeout; deadlock; serialization failure. */
const retryable: ReadonlySet<string> = new Set(['25006', '55P03', '57014', '25P03', '40P01', '40001'])

/** Returns true if the connection broke during a statement, so that its effect is unknown. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return driverMessages.some((message) => error.message.startsWith(message))
  return socketErrors.has(code) || /^(08|57P)/.test(code)
}

/** Returns the code with which PostgreSQL refused a statement or connection, even if its error is only a cause. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : sqlStateOf(error.cause)
}

/** Returns true if a lock was not free in time. Nothing has changed. */
export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '55P03'
}

/** Returns true if cell.enter raised the error: the tenant is not in this cell, or not with the directory's epoch. */
export function isNotResident(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === 'IT001'
}

function isTemporary(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isTemporary)
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return driverMessages.some((message) => error.message.startsWith(message))
  // SQLSTATE classes: 08 connection exception, 57P shutdown or crash, 53 insufficient resources.
  return socketErrors.has(code) || /^(08|57P|53)/.test(code) || retryable.has(code)
}
