import { isIP } from 'node:net'
import { familyOf, networkList } from './network-list.ts'

// Parsers of single settings. Each throws an error that completes the sentence "X is invalid: …".

export function oneOf<const Values extends readonly string[]>(values: Values) {
  return (text: string): Values[number] => {
    if (!values.includes(text)) throw new Error(`it must be one of ${values.join(', ')}`)
    return text
  }
}

/** Parses some of these values, separated by commas, each once. */
export function listOf<const Value extends string>(values: readonly Value[]) {
  return (text: string): Value[] => {
    const parse = oneOf(values)
    return [...new Set(text.split(',').map((entry) => parse(entry.trim())))]
  }
}

export function integer(min: number, max: number) {
  return (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= min && value <= max)) throw new Error(`it must be a whole number from ${min} to ${max}`)
    return value
  }
}

export function portList(text: string): number[] {
  return text.split(',').map((entry) => integer(1, 65_535)(entry.trim()))
}

export function nonEmpty(text: string): string {
  return text
}

export function url(protocols: readonly string[]) {
  return (text: string): string => {
    const parsed = URL.parse(text)
    if (!parsed || !protocols.includes(parsed.protocol))
      throw new Error(`it must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`)
    return text.replace(/\/+$/, '')
  }
}

const loopback = networkList(['127.0.0.0/8', '::1'])

/** Returns true if the host can only be this machine. IPv6 addresses may have the brackets of a URL. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return isIP(name) ? loopback.check(name, familyOf(name)) : name === 'localhost'
}

/** A website that wallets show to their owners: EIP-4361 needs a host that they recognise. */
export function siteUrl(text: string): string {
  const parsed = url(['https:', 'http:'])(text)
  if (!/^(?:([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,}|[0-9]+)|localhost)(:\d+)?$/.test(new URL(parsed).host))
    throw new Error('its host must be a name with a dot, an IPv4 address or localhost, because wallets show it')
  return parsed
}

export const redisUrl = url(['redis:', 'rediss:'])

/** Parses entries with different names, separated by white space. */
function entriesOf<Value>(text: string, kind: string, parse: (entry: string) => [string, Value]): Map<string, Value> {
  const entries = text.trim().split(/\s+/).map(parse)
  const byName = new Map(entries)
  if (byName.size !== entries.length) throw new Error(`two ${kind} have the same name`)
  return byName
}

export function cellList(text: string): Map<string, string> {
  return entriesOf(text, 'cells', (entry) => {
    const [, name, address] = /^([a-z][a-z0-9-]{0,30})=(.+)$/.exec(entry) ?? []
    if (!name || !address)
      throw new Error('each cell must be written name=postgres://…, and cells are separated by white space')
    return [name, url(['postgres:', 'postgresql:'])(address)]
  })
}

export interface ChainSetting {
  /** URLs of one or several nodes. */
  readonly urls: readonly string[]
  /** Undefined if the setting has no chain id; the name then implies it. */
  readonly chainId: number | undefined
}

/** Parses the chains that offerings can use. */
export function chainList(text: string): Map<string, ChainSetting> {
  return entriesOf(text, 'chains', (entry) => {
    const [, name, chainId, nodes] = /^([a-z][a-z0-9-]{0,30})(?::(\d{1,9}))?=(.+)$/.exec(entry) ?? []
    if (!name || !nodes)
      throw new Error(
        'each chain must be written name=http://… or name=http://…,http://…, and chains are separated by white space',
      )
    const urls = nodes.split(',').map(url(['http:', 'https:']))
    if (new Set(urls).size !== urls.length) throw new Error(`it lists a node of ${name} twice`)
    return [name, { urls, chainId: chainId === undefined ? undefined : Number(chainId) }]
  })
}

/** Parses `name=value name=value`. Names are those of `maintain`, so they are short and easy to type. */
export function namedValues(text: string): Map<string, string> {
  return entriesOf(text, 'entries', (entry) => {
    const [, name, value] = /^([a-z][a-z0-9-]{0,30})=(.+)$/.exec(entry) ?? []
    if (!name || !value)
      throw new Error('each entry must be written name=value, and entries are separated by white space')
    return [name, value]
  })
}

/** Parses `name=value,name=value` with percent-encoded values, as in the specification of OpenTelemetry. */
export function attributeList(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').map((entry): [string, string] => {
      const end = entry.indexOf('=')
      const name = entry.slice(0, Math.max(0, end)).trim()
      if (name === '' || /\s/.test(name)) throw new Error('each entry must be written name=value, separated by commas')
      return [name, decodeURIComponent(entry.slice(end + 1).trim())]
    }),
  )
}

/** Parses a list of IP addresses and networks. Validated here, so that a typo prevents the start. */
export function addressList(text: string): string[] {
  const entries = text.split(',').map((entry) => entry.trim())
  for (const entry of entries)
    if (!isIP(entry.split('/', 1)[0] ?? ''))
      throw new Error('it must be a comma-separated list of IP addresses or networks')
  networkList(entries)
  return entries
}
