import { CommanderError } from 'commander'
import { type ExitCode, exitCodes } from './base/failure.ts'
import { interrupted } from './base/interruption.ts'
import { createProgram } from './program.ts'
import { explainError } from './session/explain-error.ts'

/** Runs a command to its end and explains an error to the user. Returns the exit code. */
export async function runCommand(args: readonly string[]): Promise<ExitCode> {
  try {
    await createProgram().parseAsync(args, { from: 'user' })
    return interrupted.aborted ? exitCodes.interrupted : exitCodes.done
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    return explainError(error, { debug: args.includes('--debug') })
  }
}
