import { Command, Help } from 'commander'
import { exitCodesHelp } from './base/failure.ts'
import { host } from './base/host.ts'
import { note, paint } from './base/terminal.ts'
import { cliVersion } from './base/version.ts'
import { addApiCommands } from './commands/api.ts'
import { addCompletion } from './commands/completion.ts'
import { addDoctor } from './commands/doctor.ts'
import { globalGroup } from './commands/leaf.ts'
import { addListen, addTail } from './commands/listen.ts'
import { addLogin } from './commands/login.ts'
import { addLogout } from './commands/logout.ts'
import { addLogs } from './commands/logs.ts'
import { addOperatorCommands } from './commands/operator.ts'
import { addTrigger } from './commands/trigger.ts'

export function createProgram(): Command {
  const program = new Command('investor-token')
    .description('The Investor Token API on the command line.')
    .version(cliVersion)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => host().stdout.write(text),
      writeErr: (text) => host().stderr.write(text),
      outputError: (text) => note(paint('red', 'Error:', host().stderr) + text.replace(/^error:/, '').trimEnd()),
    })
    .configureHelp({ groupItems: globalsLast })
    .showHelpAfterError('  Add --help for usage.')
    .addHelpText('after', `\n${exitCodesHelp}`)
  program.commandsGroup('Credentials:')
  addLogin(program)
  addLogout(program)
  program.commandsGroup('API:')
  addApiCommands(program)
  addOperatorCommands(program)
  const events = program.commands.find((command) => command.name() === 'events')
  if (events) addTail(events)
  program.commandsGroup('Development:')
  addListen(program)
  addTrigger(program)
  addLogs(program)
  addDoctor(program)
  addCompletion(program)
  return program
}

/** Moves the global options to the end of the help. */
const globalsLast: Help['groupItems'] = (unsorted, visible, groupOf) => {
  const groups = new Help().groupItems(unsorted, visible, groupOf)
  const globals = groups.get(globalGroup)
  if (globals && groups.delete(globalGroup)) groups.set(globalGroup, globals)
  return groups
}
