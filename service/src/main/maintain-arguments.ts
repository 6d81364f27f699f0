// What the maintain command accepts as an option's value, each with the sentence that refuses anything else.
import { InvalidArgumentError } from 'commander'
import { isUuid } from '../base/ids.ts'
import { isScope, type Scope } from '../http/scopes.ts'
import { type VersionName, versionNames } from '../http/versions.ts'

export function uuid(value: string): string {
  if (!isUuid(value)) throw new InvalidArgumentError('It must be a UUID.')
  return value.toLowerCase()
}

export function text(lengthMax: number) {
  return (value: string): string => {
    if (value.trim() === '' || value.length > lengthMax)
      throw new InvalidArgumentError(`It must have 1 to ${lengthMax} characters.`)
    return value
  }
}

export function emailAddress(value: string): string {
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(value) || value.length > 254)
    throw new InvalidArgumentError('It must be an e-mail address.')
  return value
}

export function scopeList(value: string): Scope[] {
  const wanted = value.split(',').map((scope) => scope.trim())
  const unknown = wanted.filter((scope) => !isScope(scope))
  if (unknown.length > 0) throw new InvalidArgumentError(`There is no scope ${unknown.join(', ')}.`)
  return wanted.filter(isScope)
}

export function version(value: string): VersionName {
  const known = versionNames.find((name) => name === value)
  if (!known) throw new InvalidArgumentError(`There is ${versionNames.join(', ')}.`)
  return known
}

export function rate(value: string): number {
  return wholeNumber(value, 1, 60_000)
}

export function hours(value: string): number {
  return wholeNumber(value, 0, 24 * 30)
}

function wholeNumber(value: string, min: number, max: number): number {
  const parsed = /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN
  if (!(parsed >= min && parsed <= max))
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
  return parsed
}
