import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

/**
 * What a log line may hold. Everything else is dropped, so a field with personal data or a secret cannot slip in
 * because somebody logged a whole object; a deny-list would have to know every name in advance.
 */
const allowedFields: ReadonlySet<string> = new Set([
  'err', 'process', 'request_id', 'operation', 'method', 'route', 'status', 'code', 'duration_ms', 'tenant_id',
  'client_id', 'user_id', 'source_address', 'address', 'port', 'cell', 'database', 'job', 'job_id', 'attempt',
  'pools', 'signal', 'environment', 'count', 'problem', 'migrations', 'chain', 'block', 'order_id', 'chain_op_id',
  'endpoint_id',
]) // biome-ignore format: a list reads better dense

export function createLogger(level: string, processName: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { process: processName },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: onlyAllowed },
    serializers: { err: describeError },
  }
  return destination ? pino(options, destination) : pino(options)
}

function onlyAllowed(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => allowedFields.has(name)))
}

/**
 * What is told of an error. Its message is left out unless the class is ours: PostgreSQL and SMTP servers put values
 * from the row or the recipient into theirs. Class, code, constraint and the places in the code are enough to find it.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown }
  return {
    type: error.name,
    ...(isOurs(error) ? { message: error.message } : {}),
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint, table }),
    stack: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 12)
      .join('\n'),
    ...(error.cause ? { cause: describeError(error.cause) } : {}),
  }
}

/** Errors written in this code base, whose sentences are ours and hold no data of a person. */
export abstract class OwnError extends Error {}

function isOurs(error: Error): boolean {
  return error instanceof OwnError
}
