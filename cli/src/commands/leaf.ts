import { type Command, Option } from 'commander'

/** Adds an executable command with the global options and examples, which a test runs. Generated commands have none. */
export function leaf(parent: Command, name: string, summary: string, examples: readonly string[] | undefined): Command {
  const command = parent
    .command(name)
    .summary(lowerFirst(summary))
    .description(summary)
    .addOption(new Option('--profile <name>', 'the profile with the credential to use').helpGroup(globalGroup))
    .addOption(new Option('--json', "the API's JSON instead of a table").helpGroup(globalGroup))
    .addOption(new Option('--debug', 'log requests and stack traces to stderr, without secrets').helpGroup(globalGroup))
  if (!examples) return command
  examplesOf.set(command, examples)
  return command.addHelpText(
    'after',
    `\nExamples:\n${examples.map((example) => `  $ investor-token ${example}`).join('\n')}`,
  )
}

export const examplesOf = new Map<Command, readonly string[]>()

export const globalGroup = 'Global options:'

export function rawOption(): Option {
  return new Option('--raw', 'units instead of token amounts').helpGroup(globalGroup)
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}
