import { type Command, Option } from 'commander'
import type { ApiCommand } from '../api/api-command.ts'
import { apiCommands } from '../api/api-commands.ts'
import { type Flag, flagsOf } from '../api/flags.ts'
import { nouns } from '../api/nouns.ts'
import { type OperationOptions, runOperation } from '../api/run-operation.ts'
import { usageFailure } from '../base/failure.ts'
import { operations } from '../base/generated/operations.ts'
import { interrupted } from '../base/interruption.ts'
import type { OperationDescription } from '../base/operation-description.ts'
import { leaf, rawOption } from './leaf.ts'
import { addOperationOptions, givenFlags } from './operation-options.ts'

interface OperationCommand {
  readonly operation: keyof typeof apiCommands
  readonly command: ApiCommand
  readonly description: OperationDescription
  readonly flags: readonly Flag[]
}

/** Adds every API operation as `noun verb`. Merges two lists that differ only in their parent into one command. */
export function addApiCommands(program: Command): void {
  const variants = Object.entries(apiCommands).map(([name, command]): OperationCommand => {
    const operation = name as keyof typeof apiCommands
    const description: OperationDescription = operations[operation]
    return { operation, command, description, flags: flagsOf(description, command.subject) }
  })
  for (const [noun, description] of Object.entries(nouns)) {
    const group = program.command(noun).description(description)
    const ofNoun = variants.filter(({ command }) => command.name.startsWith(`${noun} `))
    for (const [name, same] of Map.groupBy(ofNoun, ({ command }) => command.name))
      addVerb(group, name.slice(noun.length + 1), same)
  }
}

function addVerb(group: Command, verb: string, variants: readonly OperationCommand[]): void {
  const [first] = variants
  if (!first) return
  const examples = variants.flatMap(({ command }) => command.examples)
  const summary = variants.length > 1 ? `${first.description.summary}, or of an offering` : first.description.summary
  const cli = leaf(group, verb, summary, examples).addOption(rawOption())
  if (variants.length === 1) cli.description(`${summary}.\n\n${first.description.description.replaceAll('`', '')}`)
  for (const { option, target } of uniqueFlags(variants)) {
    if (target.in === 'path' && variants.length === 1) option.makeOptionMandatory()
    cli.addOption(option)
  }
  const isPaged = first.command.columns !== undefined && first.command.rows !== 'body'
  addOperationOptions(cli, first.description, { subject: first.command.subject, isPaged })
  if (first.description.body?.some(({ path }) => path.join() === 'units'))
    cli.addOption(new Option('--tokens <amount>', 'a token amount such as 10.5, instead of units'))

  cli.action(async (...args: unknown[]) => {
    const options = cli.opts<OperationOptions>()
    const { operation, command, flags } = chosen(variants, cli)
    await runOperation({
      operation,
      command,
      subject: first.command.subject ? String(args[0]) : undefined,
      flags: givenFlags(cli, flags),
      options,
      signal: interrupted,
    })
  })
}

function uniqueFlags(variants: readonly OperationCommand[]): Flag[] {
  const byName = new Map(variants.flatMap(({ flags }) => flags).map((flag) => [flag.option.long, flag]))
  return [...byName.values()]
}

/** Returns the variant whose parent id the user gave. */
function chosen(variants: readonly OperationCommand[], cli: Command): OperationCommand {
  const parents = ({ flags }: OperationCommand) => flags.filter(({ target }) => target.in === 'path')
  const given = ({ option }: Flag) => cli.opts()[option.attributeName()] !== undefined
  const matching = variants.filter((one) => parents(one).every(given))
  const [only] = matching
  if (only && matching.length === 1) return only
  const names = variants.flatMap((one) => parents(one).map(({ option }) => option.long))
  throw usageFailure(`Use ${names.join(' or ')}${matching.length > 1 ? ', not both' : ''}.`)
}
