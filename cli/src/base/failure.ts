/** Exit codes for scripts. `--help` and the README contain the same list. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notPermitted: 3,
  unavailable: 4,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export const exitCodesHelp = `Exit codes:
  0    success
  1    the API rejected the request (4xx), or an event did not occur before the timeout
  2    invalid command line; nothing was sent
  3    not logged in, or the credential is not allowed to do this (401, 403)
  4    the service is unreachable, or failed (5xx) after all retries
  130  interrupted (Ctrl-C)`

/** An error that the user can fix. The message describes the problem, and the remedy the fix. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly exitCode: ExitCode
  readonly remedy: string | undefined

  constructor(exitCode: ExitCode, message: string, remedy?: string) {
    super(message)
    this.exitCode = exitCode
    this.remedy = remedy
  }
}

export function usageFailure(message: string, remedy?: string): Failure {
  return new Failure(exitCodes.usage, message, remedy)
}
