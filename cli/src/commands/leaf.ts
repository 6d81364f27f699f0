import { type Command, Option } from 'commander'

/** A command that does something: with the options that all of them take, and with examples, which a test runs. */
export function leaf(parent: Command, name: string, summary: string, examples: readonly string[]): Command {
  const command = parent
    .command(name)
    .summary(lowerFirst(summary))
    .description(summary)
    .addOption(new Option('--profile <name>', 'whose credential to use').helpGroup(globalGroup))
    .addOption(new Option('--json', "the API's JSON instead of a table").helpGroup(globalGroup))
    .addOption(new Option('--debug', 'tell more on stderr; never a secret').helpGroup(globalGroup))
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ investor-token ${example}`).join('\n')}`)
  examplesOf.set(command, examples)
  return command
}

export const examplesOf = new Map<Command, readonly string[]>()

export const globalGroup = 'Global options:'

export function rawOption(): Option {
  return new Option('--raw', 'units as they are instead of amounts of tokens').helpGroup(globalGroup)
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}
