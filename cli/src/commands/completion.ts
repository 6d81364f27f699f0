import type { Command, Option } from 'commander'
import { readEnvironment } from '../base/environment.ts'
import { print } from '../base/terminal.ts'
import { readProfiles } from '../session/profiles.ts'
import { leaf } from './leaf.ts'

/** The scripts call this program for every completion, so the candidates are never out of date. */
const scripts = {
  bash: `# Add this line to ~/.bashrc:  source <(investor-token completion bash)
_investor_token() {
  local IFS=$'\\n'
  COMPREPLY=($(investor-token complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _investor_token investor-token`,
  zsh: `# Add this line to ~/.zshrc, after compinit:  source <(investor-token completion zsh)
_investor_token() {
  local -a found
  found=(\${(f)"$(investor-token complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -a found; else _files; fi
}
compdef _investor_token investor-token`,
  fish: `# Add this line to ~/.config/fish/config.fish:  investor-token completion fish | source
complete -c investor-token -f -a '(investor-token complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
complete -c investor-token -n '__fish_seen_argument -l data -l from' -F`,
} as const

export function addCompletion(program: Command): void {
  const completion = leaf(program, 'completion', 'Print a completion script for a shell', [
    'completion bash',
    'completion zsh',
    'completion fish',
  ])
  completion
    .addArgument(completion.createArgument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .action((shell: keyof typeof scripts) => print(scripts[shell]))
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => {
      const found = candidates(program, words)
      if (found.length > 0) print(found.join('\n'))
    })
}

/** Returns candidates for the last word. The words before it determine the command. */
function candidates(program: Command, words: readonly string[]): string[] {
  const last = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const current = before.reduce((command, word) => subcommand(command, word) ?? command, program)
  const option = current.options.find(({ long }) => long === before.at(-1))
  const names = namesOf(current)
  // Offer options if the command has no subcommands or argument choices.
  const next = last.startsWith('-') || names.length === 0 ? flagsOf(current) : names
  const offered = option && takesValue(option) ? valuesOf(option) : next
  return offered.filter((word) => word.startsWith(last))
}

function subcommand(command: Command, name: string): Command | undefined {
  return command.commands.find((one) => one.name() === name)
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional
}

function valuesOf({ long, argChoices = [] }: Option): readonly string[] {
  return long === '--profile' ? profileNames() : argChoices
}

function flagsOf(command: Command): string[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => long ?? [])
}

function namesOf(command: Command): string[] {
  const commands = command
    .createHelp()
    .visibleCommands(command)
    .map((one) => one.name())
  return [...commands, ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices)]
}

function profileNames(): string[] {
  try {
    return Object.keys(readProfiles(readEnvironment().configFile))
  } catch {
    return []
  }
}
