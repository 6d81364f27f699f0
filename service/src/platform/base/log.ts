import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

/**
 * The fields that a log line may contain. All others are dropped, so that logging a whole object cannot leak personal
 * data or a secret. A deny-list would have to know every field name in advance.
 */
const allowedFields: ReadonlySet<string> = new Set([
  'err', 'process', 'request_id', 'operation', 'method', 'route', 'status', 'code', 'duration_ms', 'tenant_id',
  'client_id', 'user_id', 'source_address', 'address', 'port', 'cell', 'database', 'job', 'job_id', 'attempt',
  'pools', 'signal', 'environment', 'count', 'problem', 'migrations', 'chain', 'block', 'order_id', 'chain_op_id',
  'endpoint_id', 'statement_id', 'token_id', 'readiness', 'checks', 'versions', 'audit_sequence', 'audit_hash',
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
  const allowed: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) if (allowedFields.has(name)) allowed[name] = fields[name]
  return allowed
}

/**
 * Logs an error without its message unless it is a LoggableError: PostgreSQL and SMTP servers put row values and
 * recipients into their messages. Class, code, constraint and stack are enough to find the cause.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown }
  return {
    type: error.name,
    ...(error instanceof LoggableError ? { message: error.message } : {}),
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

/** An error whose message we wrote ourselves and which never contains personal data, so it may be logged. */
export abstract class LoggableError extends Error {}
