// Parsers of option values. Each throws an error that states the rule.
import { InvalidArgumentError } from 'commander'
import { type Address, getAddress, isAddress, zeroAddress } from 'viem'
import { namePattern } from '../../access/users/user.schema.ts'
import { isScope, type Scope } from '../../platform/api/declare/scopes.ts'
import { isUuid } from '../../platform/base/ids.ts'
import { config } from './program.ts'

export function uuid(value: string): string {
  if (!isUuid(value)) throw new InvalidArgumentError('It must be a UUID.')
  return value.toLowerCase()
}

export function text(lengthMax: number) {
  return (value: string): string => {
    if (value.trim() === '' || value.length > lengthMax)
      throw new InvalidArgumentError(`It must have 1 to ${lengthMax} characters.`)
    if (!new RegExp(namePattern, 'u').test(value))
      throw new InvalidArgumentError('It must not contain line breaks or other control characters.')
    return value
  }
}

export function emailAddress(value: string): string {
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(value) || value.length > 254)
    throw new InvalidArgumentError('It must be an e-mail address.')
  return value
}

export interface PersonToInvite {
  readonly name: string
  readonly email: string
}

/** Parses a person as mails write it: `Grace Hopper <grace@example.com>`. */
export function personToInvite(value: string): PersonToInvite {
  const [, name = '', address = ''] = /^([^<>]*)<([^<>]*)>$/.exec(value.trim()) ?? []
  if (name.trim() === '') throw new InvalidArgumentError('It must be written "Grace Hopper <grace@example.com>".')
  return { name: text(200)(name.trim()), email: emailAddress(address.trim()) }
}

/** Parses the name of an identity provider in the settings. */
export function provider(value: string): string {
  const names = [...config().identityProviders.keys()]
  if (!names.includes(value))
    throw new InvalidArgumentError(
      `OIDC_PROVIDERS has ${names.length > 0 ? `only ${names.join(', ')}` : 'no provider'}.`,
    )
  return value
}

/** Parses two capital letters: a country as in ISO 3166, or EU. */
export function jurisdiction(value: string): string {
  if (!/^[A-Z]{2}$/.test(value)) throw new InvalidArgumentError('It must be two capital letters, such as EU or CH.')
  return value
}

export function cellName(value: string): string {
  if (!/^[a-z][a-z0-9-]{0,30}$/.test(value))
    throw new InvalidArgumentError('It must be a lower-case letter and up to 30 lower-case letters, digits or hyphens.')
  return value
}

/** Parses the address of a database. It may not contain a login, which anyone who reads the directory could see. */
export function cellAddress(value: string): string {
  const parsed = URL.parse(value)
  if (!parsed || !['postgres:', 'postgresql:'].includes(parsed.protocol) || parsed.pathname.length < 2)
    throw new InvalidArgumentError('It must be written postgres://host:5432/database.')
  if (parsed.username || parsed.password)
    throw new InvalidArgumentError('It must not contain a login or a password: those of the settings are used.')
  return parsed.href
}

/** Parses an address on a chain. A mixed-case one contains a checksum that detects typos. */
export function chainAddress(value: string): Address {
  if (!isAddress(value) || value === zeroAddress)
    throw new InvalidArgumentError('It must be an address with a valid EIP-55 checksum, or all in lower case.')
  return getAddress(value)
}

export function scopeList(value: string): Scope[] {
  const names = value.split(',').map((scope) => scope.trim())
  const unknown = names.filter((scope) => !isScope(scope))
  if (unknown.length > 0) throw new InvalidArgumentError(`Unknown scope: ${unknown.join(', ')}.`)
  return names.filter(isScope)
}

/** Parses one of these words. */
export function oneWordOf<Word extends string>(words: readonly Word[]) {
  return (value: string): Word => {
    const found = words.find((word) => word === value)
    if (!found) throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`)
    return found
  }
}

export function limit(min: number, max: number) {
  return (value: string): number => {
    const parsed = /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN
    if (!(parsed >= min && parsed <= max))
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
    return parsed
  }
}

/** Parses the head of an audit log, as `verify-audit` prints it. */
export function auditHead(value: string): { sequence: number; hash: string } {
  const [, sequence = '', hash = ''] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/i.exec(value) ?? []
  if (!sequence) throw new InvalidArgumentError('It must be a sequence number, a colon and 64 hexadecimal digits.')
  return { sequence: Number(sequence), hash: hash.toLowerCase() }
}

/** Parses a moment in the past. It stays text, because PostgreSQL stores microseconds and a Date does not. */
export function moment(value: string): string {
  const isWhole = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d(:?\d\d)?)$/.test(value)
  const time = Date.parse(value.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'))
  if (!isWhole || Number.isNaN(time))
    throw new InvalidArgumentError('It must be a date and a time with time zone, such as 2026-11-15T10:30:00.5Z.')
  if (time > Date.now()) throw new InvalidArgumentError('It must be in the past.')
  return value
}

export function blockNumber(value: string): bigint {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('It must be a block number.')
  return BigInt(value)
}
