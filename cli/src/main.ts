#!/usr/bin/env node
import { watchInterruption } from './base/interruption.ts'
import { runCommand } from './run-command.ts'

watchInterruption()
// A reader such as `head` may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
process.exitCode = await runCommand(process.argv.slice(2))
