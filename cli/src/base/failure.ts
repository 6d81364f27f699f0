/** What a script can decide by; the same list stands in `--help` and in the README. */
export const exitCodes = {
  done: 0,
  refused: 1,
  usage: 2,
  notPermitted: 3,
  unavailable: 4,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export const exitCodesHelp = `Exit codes:
  0    done
  1    the API refused it (4xx), or what was waited for did not happen
  2    the command line is wrong; nothing was sent
  3    not logged in, or the credential may not do this (401, 403)
  4    the service cannot be reached, or failed (5xx) after all retries
  130  interrupted (Ctrl-C)`

/** Something that the person at the keyboard can mend. The message says what is wrong, the remedy what to do. */
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
