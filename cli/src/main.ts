#!/usr/bin/env node
import { CommanderError } from 'commander'
import { type ExitCode, exitCodes } from './base/failure.ts'
import { interrupted, watchInterruption } from './base/interruption.ts'
import { createProgram } from './program.ts'
import { explainError } from './session/explain-error.ts'

process.exitCode = await run(process.argv.slice(2))

async function run(args: readonly string[]): Promise<ExitCode> {
  watchInterruption()
  // A reader such as `head` may close the pipe early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  try {
    await createProgram().parseAsync(args, { from: 'user' })
    return interrupted.aborted ? exitCodes.interrupted : exitCodes.done
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    return explainError(error, { debug: args.includes('--debug') })
  }
}
