import {
  AbortError,
  ApiError,
  ConnectionError,
  InvestorTokenError,
  UnexpectedResponseError,
  UsageError,
} from '@investor-token/sdk'
import { type ExitCode, exitCodes, Failure } from '../base/failure.ts'
import { host } from '../base/host.ts'
import { escapeControlCharacters, note, paint } from '../base/terminal.ts'

/** Prints the problem and the fix to stderr and returns the exit code. Prints a stack trace only with --debug. */
export function explainError(error: unknown, { debug = false }: { debug?: boolean | undefined } = {}): ExitCode {
  if (error instanceof AbortError) return exitCodes.interrupted
  const { exitCode, lines } = explanation(error)
  const [first = '', ...rest] = lines
  note(`${paint('red', 'Error:', host().stderr)} ${escapeControlCharacters(first)}`)
  for (const line of rest) note(escapeControlCharacters(line))
  if (debug && error instanceof Error && error.stack)
    note(paint('dim', escapeControlCharacters(error.stack), host().stderr))
  return exitCode
}

function explanation(error: unknown): { exitCode: ExitCode; lines: string[] } {
  if (error instanceof Failure)
    return { exitCode: error.exitCode, lines: [error.message, ...(error.remedy ? [`  ${error.remedy}`] : [])] }
  if (error instanceof ApiError) return ofApi(error)
  if (error instanceof UsageError) return { exitCode: exitCodes.usage, lines: [error.message] }
  if (error instanceof ConnectionError || error instanceof UnexpectedResponseError)
    return {
      exitCode: exitCodes.unavailable,
      lines: [
        error.message,
        '  Check the base URL and that the service is running: investor-token doctor',
        ...keyOf(error),
      ],
    }
  if (error instanceof InvestorTokenError) return { exitCode: exitCodes.failed, lines: [error.message, ...idOf(error)] }
  return {
    exitCode: exitCodes.failed,
    lines: [
      'Unexpected error: this is a bug in investor-token.',
      '  Run the command again with --debug, and report the output.',
    ],
  }
}

function ofApi(error: ApiError): { exitCode: ExitCode; lines: string[] } {
  const failures = error.failures.map((failure) => {
    const { detail, ...source } = failure as { detail: string } & Record<string, unknown>
    const location = Object.values(source).find((value) => typeof value === 'string')
    // A single failure has the error message as its detail, which must not be printed twice.
    if (detail === error.message) return `  at ${String(location)}`
    return `  ${location === undefined ? '' : `${String(location)}: `}${detail}`
  })
  const remedy = remedyOf(error)
  const lines = [
    `${error.message} (${error.code}, status ${error.status})`,
    ...failures,
    ...(remedy ? [`  ${remedy}`] : []),
    ...(error.status >= 500 ? keyOf(error) : []),
    ...idOf(error),
  ]
  return { exitCode: exitCodeOf(error), lines }
}

function exitCodeOf({ status }: ApiError): ExitCode {
  if (status === 401 || status === 403) return exitCodes.notPermitted
  return status >= 500 ? exitCodes.unavailable : exitCodes.failed
}

function remedyOf({ code, status, retryAfterSeconds }: ApiError): string | undefined {
  if (code === 'scope_not_granted') return 'Log in again to use the scopes of the credential: investor-token login'
  if (code === 'insufficient_scope') return 'Ask an admin of your tenant to grant the scope, then log in again.'
  if (code === 'session_required' || code === 'step_up_needed')
    return 'Only a person in the console can do this: a token never confirms anything.'
  if (code === 'insufficient_duty') return 'Ask a user with the duty team to grant it to you.'
  if (code === 'token_expired') return 'Log in again: investor-token operator login'
  if (status === 401) return 'Log in again: investor-token login, or investor-token operator login'
  if (code === 'route_not_found') return 'Simulations exist in development environments only.'
  if (status === 429) return `Retry in ${retryAfterSeconds ?? 60} s.`
  if (status >= 500) return 'The service failed. Retry later, or check it with: investor-token doctor'
  return undefined
}

/** Explains a safe retry: if a write may have happened, retrying with the same key makes it happen only once. */
function keyOf({ idempotencyKey }: InvestorTokenError): string[] {
  return idempotencyKey === undefined ? [] : [`  To retry safely, add: --idempotency-key ${idempotencyKey}`]
}

function idOf({ requestId }: InvestorTokenError): string[] {
  return requestId === undefined ? [] : [`  Request id: ${requestId}`]
}
