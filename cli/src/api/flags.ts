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

/** Returns the flags of an operation: the ids in its path except the subject, its query parameters and body members. */
export function flagsOf({ params, query, body = [] }: OperationDescription, subject: string | undefined): Flag[] {
  const targets: FlagTarget[] = [
    ...params.filter((name) => name !== subject).map((name) => ({ in: 'path', name }) as const),
    ...query.map((member) => ({ in: 'query', member }) as const),
    ...body.map((member) => ({ in: 'body', member }) as const),
  ]
  const taken = new Set<string>(reserved)
  return targets.map((target) => {
    const name = flagName(target.in === 'path' ? [target.name] : pathOf(target))
    // Two members of one operation may have the same name, such as a query parameter and a member of the body.
    const own = taken.has(name) ? `${target.in}-${name}` : name
    taken.add(own)
    return flagOf(target, own)
  })
}

/** A flag that the user gave, with its value. */
export type GivenFlag = readonly [Flag, string | number]

/** Returns the ids in the path, taken from the flags and the subject. */
export function pathIdsOf(
  flags: readonly GivenFlag[],
  name: string | undefined,
  subject: string | undefined,
): Record<string, string> {
  const given = flags.flatMap(([{ target }, value]) => (target.in === 'path' ? [[target.name, String(value)]] : []))
  return Object.fromEntries([...given, ...(name && subject ? [[name, subject]] : [])])
}

/** Returns the members of the body that flags set. */
export function bodyMembersOf(flags: readonly GivenFlag[]): [BodyMember, string][] {
  return flags.flatMap(([{ target }, value]) => (target.in === 'body' ? [[target.member, String(value)]] : []))
}

/** Options of the commands themselves. */
const reserved = [
  'all',
  'allow-http',
  'data',
  'debug',
  'file',
  'help',
  'idempotency-key',
  'json',
  'output',
  'profile',
  'raw',
]

function pathOf(target: Exclude<FlagTarget, { in: 'path' }>): readonly string[] {
  return target.in === 'query' ? [target.member.name] : target.member.path
}

function flagOf(target: FlagTarget, name: string): Flag {
  if (target.in === 'path') {
    const option = new Option(`--${name} <id>`, `the ${name.replaceAll('-', ' ')}`)
    return { option, target }
  }
  const path = pathOf(target)
  const { kind, choices, description } = target.member
  const allowed = kind === 'boolean' ? ['true', 'false'] : choices
  const option = new Option(`--${name} <${valueName(path, kind)}>`, plain(description))
  if (allowed && allowed.length <= choicesShownMax) option.choices(allowed)
  else if (allowed) option.argChoices = [...allowed]
  if (kind === 'integer') option.argParser(wholeNumber)
  if (kind === 'number') option.argParser(decimalNumber)
  if (target.in === 'body' && path.length > 1) option.helpGroup(`${path[0]?.replaceAll('_', ' ')}:`)
  return { option, target }
}

// More choices would fill the screen. Completion still offers all of them, and the API's error lists them.
const choicesShownMax = 8

/** Names a flag: `individual.firstName` is --individual-first-name, `account_id` is --account. */
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
  if (kind === 'list') return 'a,b,…'
  if (kind === 'json') return 'json'
  return kind === 'integer' || kind === 'number' ? 'number' : last.replaceAll('_', '-')
}

function decimalNumber(text: string): number {
  if (!/^-?\d{1,15}(\.\d{1,15})?$/.test(text)) throw new InvalidArgumentError('It must be a number.')
  return Number(text)
}

function wholeNumber(text: string): number {
  if (!/^\d{1,16}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** Removes the Markdown from a description in the OpenAPI document. */
function plain(description: string): string {
  return description.replaceAll('`', '')
}
