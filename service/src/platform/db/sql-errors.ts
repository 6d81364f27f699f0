import { OwnError } from '../base/log.ts'

/** The database cannot answer now. The caller may ask again; nothing is wrong with what it asked. */
export class DatabaseUnavailable extends OwnError {
  override readonly name = 'DatabaseUnavailable'
}

/** Turns the driver's ways of saying "I have no database" into one error, and lets all others through. */
export async function unavailableIfLost<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (isLost(error)) throw new DatabaseUnavailable('The database does not answer.', { cause: error })
    throw error
  }
}

const socketErrors: ReadonlySet<string> = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT',
]) // biome-ignore format: a list reads better dense

/** pg tells these apart by their text alone: it throws plain errors without a code. */
const driverMessages: readonly string[] = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after calling end',
]

/** A standby where a primary was, a lock or a statement or a pause that took too long, a deadlock, a lost race. */
const retryable: ReadonlySet<string> = new Set(['25006', '55P03', '57014', '25P03', '40P01', '40001'])

function isLost(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isLost)
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return driverMessages.some((message) => error.message.startsWith(message))
  // 08: connection, 57P: shutdown or crash, 53: too many connections or no room.
  return socketErrors.has(code) || /^(08|57P|53)/.test(code) || retryable.has(code)
}
