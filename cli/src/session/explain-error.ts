import {
  AbortError,
  ApiError,
  ConnectionError,
  InvestorTokenError,
  UnexpectedAnswerError,
  UsageError,
} from '@investor-token/sdk'
import { type ExitCode, exitCodes, Failure } from '../base/failure.ts'
import { harmless, note, paint } from '../base/terminal.ts'

/** Says what went wrong and what to do on stderr, and tells the exit code. Never a stack without --debug. */
export function explainError(error: unknown, { debug = false }: { debug?: boolean | undefined } = {}): ExitCode {
  if (error instanceof AbortError) return exitCodes.interrupted
  const { exitCode, lines } = explanation(error)
  const [first = '', ...rest] = lines
  note(`${paint('red', 'Error:', process.stderr)} ${harmless(first)}`)
  for (const line of rest) note(harmless(line))
  if (debug && error instanceof Error && error.stack) note(paint('dim', harmless(error.stack), process.stderr))
  return exitCode
}

function explanation(error: unknown): { exitCode: ExitCode; lines: string[] } {
  if (error instanceof Failure)
    return { exitCode: error.exitCode, lines: [error.message, ...(error.remedy ? [`  ${error.remedy}`] : [])] }
  if (error instanceof ApiError) return ofApi(error)
  if (error instanceof UsageError) return { exitCode: exitCodes.usage, lines: [error.message] }
  if (error instanceof ConnectionError || error instanceof UnexpectedAnswerError)
    return {
      exitCode: exitCodes.unavailable,
      lines: [
        error.message,
        '  Is the address right, and does the service run? Try: investor-token doctor',
        ...keyOf(error),
      ],
    }
  if (error instanceof InvestorTokenError)
    return { exitCode: exitCodes.refused, lines: [error.message, ...idOf(error)] }
  return {
    exitCode: exitCodes.refused,
    lines: [
      'This should not have happened; it is a mistake in investor-token.',
      '  Run it again with --debug to see more, and tell us.',
    ],
  }
}

function ofApi(error: ApiError): { exitCode: ExitCode; lines: string[] } {
  const failures = error.failures.map((failure) => {
    const { detail, ...where } = failure as { detail: string } & Record<string, unknown>
    const place = Object.values(where).find((value) => typeof value === 'string')
    // The only failure is the message, and need not be said twice.
    if (detail === error.message) return `  at ${String(place)}`
    return `  ${place === undefined ? '' : `${String(place)}: `}${detail}`
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
  return status >= 500 ? exitCodes.unavailable : exitCodes.refused
}

function remedyOf({ code, status, retryAfterSeconds }: ApiError): string | undefined {
  if (code === 'scope_not_granted') return 'Log in again to use what the credential is granted: investor-token login'
  if (code === 'insufficient_scope') return 'Ask an admin of your tenant to grant the scope, then log in again.'
  if (status === 401) return 'Log in again: investor-token login'
  if (code === 'route_not_found') return 'Simulations exist in development environments only.'
  if (status === 429) return `Try again in ${retryAfterSeconds ?? 60} s.`
  if (status >= 500) return 'The service has a problem. Try again later, or look with: investor-token doctor'
  return undefined
}

/** Where it is not known whether a write happened, the same key makes sure that it happens once. */
function keyOf({ idempotencyKey }: InvestorTokenError): string[] {
  return idempotencyKey === undefined ? [] : [`  To send the same again safely: --idempotency-key ${idempotencyKey}`]
}

function idOf({ requestId }: InvestorTokenError): string[] {
  return requestId === undefined ? [] : [`  Request id: ${requestId}`]
}
