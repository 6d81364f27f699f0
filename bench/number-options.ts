import { parseArgs } from 'node:util'

/** Reads options that are numbers from the command line: `--orders 1000`. */
export function numberOptions<Name extends string>(defaults: Readonly<Record<Name, number>>): Record<Name, number> {
  const known = Object.entries<number>(defaults)
  const options = Object.fromEntries(known.map(([name, value]) => [name, { type: 'string', default: String(value) }]))
  const { values } = parseArgs({ options: options as Record<string, { type: 'string'; default: string }> })
  const numbers = known.map(([name]) => [name, Number(values[name])] as const)
  const wrong = numbers.find(([, number]) => Number.isNaN(number))
  if (wrong) throw new Error(`--${wrong[0]} must be a number.`)
  return Object.fromEntries(numbers) as Record<Name, number>
}
