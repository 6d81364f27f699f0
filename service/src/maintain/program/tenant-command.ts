import type { Command } from 'commander'
import { uuid } from './arguments.ts'
import { command } from './program.ts'

/** Declares a command about one tenant. */
export function tenantCommand(...declaration: Parameters<typeof command>): Command {
  return command(...declaration).requiredOption('--tenant <id>', 'the tenant', uuid)
}
