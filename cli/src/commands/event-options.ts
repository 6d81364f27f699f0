import { InvalidArgumentError, Option } from 'commander'
import { eventTypes } from '../base/generated/operations.ts'

export function typesOption(): Option {
  const option = new Option('--types <type...>', 'only these kinds of events, with commas or spaces between')
  option.argChoices = [...eventTypes]
  return option
}

export function sequenceNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It is a whole number from 1.')
  return Number(text)
}
