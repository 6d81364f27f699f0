import { InvalidArgumentError, Option } from 'commander'
import type { BodyMember, OperationDescription, QueryMember } from '../base/operation-description.ts'

/** The parameter or body member that a flag sets. */
export type FlagTarget =
  | { readonly in: 'path'; readonly name: string }
  | { readonly in: 'query'; readonly member: QueryMember }
  | { readonly in: 'body'; readonly member: BodyMember }

export interface Flag {
  readonly option: Option
  readonly target: FlagTarget
}

/** The flags of an operation: the ids in its path except the subject, its query parameters and its body members. */
export function flagsOf({ params, query, body = [] }: OperationDescription, subject: string | undefined): Flag[] {
  return [
    ...params.filter((name) => name !== subject).map((name) => flagOf({ in: 'path', name })),
    ...query.map((member) => flagOf({ in: 'query', member })),
    ...body.map((member) => flagOf({ in: 'body', member })),
  ]
}

function flagOf(target: FlagTarget): Flag {
  if (target.in === 'path') {
    const noun = flagName([target.name])
    const option = new Option(`--${noun} <id>`, `the ${noun.replaceAll('-', ' ')}`)
    return { option, target }
  }
  const path = target.in === 'query' ? [target.member.name] : target.member.path
  const { kind, choices, description } = target.member
  const allowed = kind === 'boolean' ? ['true', 'false'] : choices
  const option = new Option(`--${flagName(path)} <${valueName(path, kind)}>`, plain(description))
  if (allowed && allowed.length <= choicesShownMax) option.choices(allowed)
  else if (allowed) option.argChoices = [...allowed]
  if (kind === 'integer') option.argParser(wholeNumber)
  if (target.in === 'body' && path.length > 1) option.helpGroup(`${path[0]?.replaceAll('_', ' ')}:`)
  return { option, target }
}

// A longer list would fill the screen. Completion still offers all choices, and the API's error lists them.
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
  if (!/^\d{1,16}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** The description from the OpenAPI document without its Markdown. */
function plain(description: string): string {
  return description.replaceAll('`', '')
}
