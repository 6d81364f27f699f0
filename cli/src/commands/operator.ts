import { type Command, Option } from 'commander'
import { type Flag, flagsOf } from '../api/flags.ts'
import { operatorOperations } from '../base/generated/operator-operations.ts'
import type { OperatorOperation } from '../base/operation-description.ts'
import { type OperatorOptions, runOperatorOperation } from '../operator/run-operator-operation.ts'
import { leaf } from './leaf.ts'
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
  const { verb, summary, description, subject, pageMax, takesKey, body, uploads, isFile } = operation
  const flags = flagsOf(operation, subject)
  const cli = leaf(group, verb, summary, undefined)
  cli.description(`${summary}.\n\n${description.replaceAll('`', '')}`)
  if (subject) cli.argument('<id>', `the ${subject.replace(/Id$/, '')}`)
  for (const { option, target } of flags) {
    if (target.in === 'path') option.makeOptionMandatory()
    cli.addOption(option)
  }
  if (pageMax !== undefined) cli.option('--all', 'all pages instead of one')
  if (takesKey)
    cli.option('--idempotency-key <key>', 'a retry with the same key has no second effect (default: a new key)')
  if (body) cli.option('--data <@file|->', 'the body as JSON: a file, stdin, or the JSON itself')
  if (uploads) cli.addOption(new Option('--file <path|->', 'the file to send').makeOptionMandatory())
  if (isFile) cli.option('--output <path>', 'write to this file instead of stdout')
  cli.action(async (...args: unknown[]) => {
    const given = flags.flatMap((flag): [Flag, string | number][] => {
      const value: unknown = cli.opts()[flag.option.attributeName()]
      return value === undefined ? [] : [[flag, value as string | number]]
    })
    const options = cli.opts<OperatorOptions>()
    await runOperatorOperation({ operation, subject: subject ? String(args[0]) : undefined, flags: given, options })
  })
}
