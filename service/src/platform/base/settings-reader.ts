import type { KeyRing } from './key-ring.ts'
import { rejectPlainText } from './reject-plain-text.ts'
import { type EnvironmentVariables, withSecretFiles } from './secret-files.ts'
import { type ChainSetting, isLoopback, nonEmpty, oneOf } from './setting-parsers.ts'

type Parse<Value> = (text: string) => Value

export const environments = ['development', 'staging', 'live'] as const
export type Environment = (typeof environments)[number]

/**
 * Parses settings and collects one problem for each that is missing or invalid. Such a setting is undefined against its
 * type: the caller throws if there are problems.
 */
export function settingsReader(given: EnvironmentVariables) {
  const problems: string[] = []
  const env = withSecretFiles(given, problems)
  const isSet = (name: string) => Boolean(env[name])

  function parsed<Value>(name: string, text: string | (() => string), parse: Parse<Value>): Value {
    try {
      return parse(typeof text === 'function' ? text() : text)
    } catch (error) {
      problems.push(`${name} is invalid: ${(error as Error).message}.`)
      return undefined as Value
    }
  }

  /** A setting whose default is safe in every environment. */
  function withDefault<Value>(name: string, parse: Parse<Value>, fallback: string): Value {
    return parsed(name, env[name] || fallback, parse)
  }

  /** A setting that may be undefined. */
  function optional<Value>(name: string, parse: Parse<Value>): Value | undefined {
    const text = env[name]
    return text ? parsed(name, text, parse) : undefined
  }

  /**
   * `development`, `staging` or `live`. Decides which contract versions are served. Development is for one machine:
   * it listens on loopback only.
   */
  const environment = withDefault('ENVIRONMENT', oneOf(environments), 'development') ?? 'development'
  const isDevelopment = environment === 'development'

  /** A setting that staging and live must set explicitly. A default, if any, applies to development only. */
  function required<Value>(name: string, parse: Parse<Value>, developmentDefault?: string | (() => string)): Value {
    const text = env[name] || (isDevelopment ? developmentDefault : undefined)
    if (text !== undefined) return parsed(name, text, parse)
    problems.push(`${name} is missing. Set it; docs/configuration.md describes it.`)
    return undefined as Value
  }

  /** Accepts one URL, or several by name. Outside development they must encrypt, unless they stay on this machine. */
  function encrypted<Value extends string | ReadonlyMap<string, string | ChainSetting>>(
    parse: Parse<Value>,
  ): Parse<Value> {
    return (text) => {
      const value = parse(text)
      const addresses = typeof value === 'string' ? [value] : [...value.values()]
      const urls = addresses.flatMap((address) => (typeof address === 'string' ? address : address.urls))
      if (!isDevelopment) for (const url of urls) rejectPlainText(url)
      return value
    }
  }

  /** Development has simulations and generated keys, so it must not be reachable from another machine. */
  function listenAddress(text: string): string {
    if (isDevelopment && !isLoopback(text))
      throw new Error('development listens on loopback only; set ENVIRONMENT to staging or live to use another address')
    return nonEmpty(text)
  }

  /** A key that leaks from one purpose must not give away the others. */
  function rejectSharedKeys(rings: Readonly<Record<string, KeyRing | undefined>>): void {
    const nameOf = new Map<string, string>()
    for (const [name, ring] of Object.entries(rings))
      for (const { id, identity } of ring?.keys ?? []) {
        const other = nameOf.get(identity)
        if (other) problems.push(`${name} is invalid: the key with id ${id} is also in ${other}; generate another one.`)
        nameOf.set(identity, name)
      }
  }

  const parsers = { encrypted, listenAddress }
  return { environment, isDevelopment, problems, isSet, required, withDefault, optional, rejectSharedKeys, ...parsers }
}
