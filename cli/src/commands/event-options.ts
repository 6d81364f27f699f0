import { InvalidArgumentError, Option } from 'commander'
import { eventTypes } from '../base/generated/operations.ts'

export function typesOption(): Option {
  const option = new Option('--types <type...>', 'only these event types, separated by commas or spaces')
  option.argChoices = [...eventTypes]
  return option
}

export function sequenceNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of at least 1.')
  return Number(text)
}
