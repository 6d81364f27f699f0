import { InvalidArgumentError, Option } from 'commander'
import type { BodyMember, OperationFacts, QueryMember } from '../base/operation-facts.ts'

/** Where what a flag says goes. */
export type Place =
  | { readonly in: 'path'; readonly name: string }
  | { readonly in: 'query'; readonly member: QueryMember }
  | { readonly in: 'body'; readonly member: BodyMember }

export interface Flag {
  readonly option: Option
  readonly place: Place
}

/** The flags of an operation: for the ids in its path but the subject, its query, and its body. */
export function flagsOf({ params, query, body = [] }: OperationFacts, subject: string | undefined): Flag[] {
  return [
    ...params.filter((name) => name !== subject).map((name) => flagOf({ in: 'path', name })),
    ...query.map((member) => flagOf({ in: 'query', member })),
    ...body.map((member) => flagOf({ in: 'body', member })),
  ]
}

function flagOf(place: Place): Flag {
  if (place.in === 'path') {
    const noun = flagName([place.name])
    const option = new Option(`--${noun} <id>`, `the ${noun.replaceAll('-', ' ')}`)
    return { option, place }
  }
  const path = place.in === 'query' ? [place.member.name] : place.member.path
  const { kind, choices, description } = place.member
  const allowed = kind === 'boolean' ? ['true', 'false'] : choices
  const option = new Option(`--${flagName(path)} <${valueName(path, kind)}>`, plain(description))
  if (allowed && allowed.length <= choicesShownMax) option.choices(allowed)
  else if (allowed) option.argChoices = [...allowed]
  if (kind === 'integer') option.argParser(wholeNumber)
  if (place.in === 'body' && path.length > 1) option.helpGroup(`${path[0]?.replaceAll('_', ' ')}:`)
  return { option, place }
}

// More of them would fill a screen; the API says which ones there are, and completion knows them.
const choicesShownMax = 8

/** `individual.firstName` is --individual-first-name, `account_id` is --account. */
function flagName(path: readonly string[]): string {
  return path
    .map((name) =>
      name
        .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
        .replaceAll('_', '-')
        .replace(/-id$/, ''),
    )
    .join('-')
}

function valueName(path: readonly string[], kind: string): string {
  const last = path.at(-1) ?? ''
  if (/(_id|Id)$/.test(last)) return 'id'
  if (kind === 'boolean') return 'true|false'
  return kind === 'integer' ? 'number' : last.replaceAll('_', '-')
}

function wholeNumber(text: string): number {
  if (!/^\d{1,16}$/.test(text)) throw new InvalidArgumentError('It is a whole number.')
  return Number(text)
}

/** As the reference says it, without its typesetting. */
function plain(description: string): string {
  return description.replaceAll('`', '')
}
