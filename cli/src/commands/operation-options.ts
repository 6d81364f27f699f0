import type { Command } from 'commander'
import type { Flag, GivenFlag } from '../api/flags.ts'
import type { OperationDescription } from '../base/operation-description.ts'

/** Adds what the commands of both APIs share: the id of the subject, and options for the key and the body. */
export function addOperationOptions(
  cli: Command,
  { takesKey, body }: OperationDescription,
  { subject, isPaged }: { subject: string | undefined; isPaged: boolean },
): void {
  if (subject) cli.argument('<id>', `the ${subject.replace(/Id$/, '')}`)
  if (isPaged) cli.option('--all', 'all pages instead of one')
  if (takesKey)
    cli.option('--idempotency-key <key>', 'a retry with the same key has no second effect (default: a new key)')
  if (body) cli.option('--data <@file|->', 'the body as JSON: a file, stdin, or the JSON itself')
}

/** Returns the flags that the user gave, with their values. */
export function givenFlags(cli: Command, flags: readonly Flag[]): GivenFlag[] {
  const values = cli.opts<Record<string, string | number | undefined>>()
  return flags.flatMap((flag) => {
    const value = values[flag.option.attributeName()]
    return value === undefined ? [] : [[flag, value]]
  })
}
