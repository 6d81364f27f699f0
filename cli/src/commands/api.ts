import { type Command, Option } from 'commander'
import { type ApiCommand, apiCommands, nouns } from '../api/api-commands.ts'
import { type Flag, flagsOf } from '../api/flags.ts'
import { type OperationOptions, runOperation } from '../api/run-operation.ts'
import { usageFailure } from '../base/failure.ts'
import { operations } from '../base/generated/operations.ts'
import { interrupted } from '../base/interruption.ts'
import type { OperationFacts } from '../base/operation-facts.ts'
import { leaf, rawOption } from './leaf.ts'

interface Served {
  readonly operation: keyof typeof apiCommands
  readonly command: ApiCommand
  readonly facts: OperationFacts
  readonly flags: readonly Flag[]
}

/** Every operation of the API as `noun verb`. Two lists that differ in their parent alone are one command. */
export function addApiCommands(program: Command): void {
  const served = Object.entries(apiCommands).map(([name, command]): Served => {
    const operation = name as keyof typeof apiCommands
    const facts: OperationFacts = operations[operation]
    return { operation, command, facts, flags: flagsOf(facts, command.subject) }
  })
  for (const [noun, description] of Object.entries(nouns)) {
    const group = program.command(noun).description(description)
    const ofNoun = served.filter(({ command }) => command.noun === noun)
    for (const verb of new Set(ofNoun.map(({ command }) => command.verb)))
      addVerb(
        group,
        verb,
        ofNoun.filter(({ command }) => command.verb === verb),
      )
  }
}

function addVerb(group: Command, verb: string, served: readonly Served[]): void {
  const [first] = served
  if (!first) return
  const examples = served.flatMap(({ command }) => command.examples)
  const summary = served.length > 1 ? `${first.facts.summary}, or of an offering` : first.facts.summary
  const cli = leaf(group, verb, summary, examples).addOption(rawOption())
  if (served.length === 1) cli.description(`${summary}.\n\n${first.facts.description.replaceAll('`', '')}`)
  if (first.command.subject) cli.argument('<id>', `the ${first.command.subject.replace(/Id$/, '')}`)
  for (const { option, place } of uniqueFlags(served)) {
    if (place.in === 'path' && served.length === 1) option.makeOptionMandatory()
    cli.addOption(option)
  }
  if (first.command.columns && first.command.rows !== 'answer') cli.option('--all', 'every page, not only one')
  if (first.facts.takesKey)
    cli.option('--idempotency-key <key>', 'the same key again does nothing twice (default: a new one)')
  if (first.facts.body) cli.option('--data <@file|->', 'the body as JSON: a file, stdin, or the JSON itself')
  if (first.facts.body?.some(({ path }) => path.join() === 'units'))
    cli.addOption(new Option('--tokens <amount>', 'an amount of tokens such as 10.5, instead of units'))

  cli.action(async (...args: unknown[]) => {
    const options = cli.opts<OperationOptions>()
    const { operation, command, flags } = chosen(served, cli)
    await runOperation({
      operation,
      command,
      subject: first.command.subject ? String(args[0]) : undefined,
      flags: flags.flatMap((flag): [Flag, string | number][] => {
        const value: unknown = cli.opts()[flag.option.attributeName()]
        return value === undefined ? [] : [[flag, value as string | number]]
      }),
      options,
      signal: interrupted,
    })
  })
}

function uniqueFlags(served: readonly Served[]): Flag[] {
  const byName = new Map(served.flatMap(({ flags }) => flags).map((flag) => [flag.option.long, flag]))
  return [...byName.values()]
}

/** The one whose parent was named. */
function chosen(served: readonly Served[], cli: Command): Served {
  const parents = ({ flags }: Served) => flags.filter(({ place }) => place.in === 'path')
  const given = ({ option }: Flag) => cli.opts()[option.attributeName()] !== undefined
  const fitting = served.filter((one) => parents(one).every(given))
  const [only] = fitting
  if (only && fitting.length === 1) return only
  const names = served.flatMap((one) => parents(one).map(({ option }) => option.long))
  throw usageFailure(`Give one of ${names.join(' or ')}${fitting.length > 1 ? ', not both' : ''}.`)
}
