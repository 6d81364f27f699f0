import { type Command, Option } from 'commander'
import { flagsOf } from '../api/flags.ts'
import { operatorOperations } from '../base/generated/operator-operations.ts'
import type { OperatorOperation } from '../base/operation-description.ts'
import { type OperatorOptions, runOperatorOperation } from '../operator/run-operator-operation.ts'
import { leaf } from './leaf.ts'
import { addOperationOptions, givenFlags } from './operation-options.ts'
import { addOperatorLogin } from './operator-login.ts'

/** Adds `operator`: every operation of the operator API as `operator noun verb`, and the login. */
export function addOperatorCommands(program: Command): void {
  const operator = program.command('operator').description('what operators do: orders, payments, payouts, users, …')
  operator.commandsGroup('Login:')
  addOperatorLogin(operator)
  operator.commandsGroup('Operator API:')
  for (const noun of new Set(operatorOperations.map((one) => one.noun))) {
    const ofNoun = operatorOperations.filter((one) => one.noun === noun)
    const group = operator.command(noun).description(ofNoun.map(({ verb }) => verb).join(', '))
    for (const one of ofNoun) addVerb(group, one)
  }
}

function addVerb(group: Command, operation: OperatorOperation): void {
  const { verb, summary, description, subject, pageMax, uploads, isFile } = operation
  const flags = flagsOf(operation, subject)
  const cli = leaf(group, verb, summary, undefined)
  cli.description(`${summary}.\n\n${description.replaceAll('`', '')}`)
  for (const { option, target } of flags) {
    if (target.in === 'path') option.makeOptionMandatory()
    cli.addOption(option)
  }
  addOperationOptions(cli, operation, { subject, isPaged: pageMax !== undefined })
  if (uploads) cli.addOption(new Option('--file <path|->', 'the file to send').makeOptionMandatory())
  if (isFile) cli.option('--output <path>', 'write to this file instead of stdout')
  cli.action(async (...args: unknown[]) => {
    const options = cli.opts<OperatorOptions>()
    const own = { subject: subject ? String(args[0]) : undefined, flags: givenFlags(cli, flags) }
    await runOperatorOperation({ operation, ...own, options })
  })
}
