import { BlockList, isIP } from 'node:net'
import { formatKey, type KeyRing, parseKeyRing } from './key-ring.ts'

/** Every setting of every process, read once, here and nowhere else. docs/configuration.md lists them for operators. */
export type Config = ReturnType<typeof readConfig>

const environments = ['development', 'staging', 'live'] as const
export type Environment = (typeof environments)[number]

/** What stops a start: one sentence for each setting that is missing or wrong, never with its value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

// Anybody can read these, so staging and live refuse every key that begins with this word.
const developmentMark = 'development'
const developmentKey = (purpose: string) =>
  formatKey({ id: 'development', secret: Buffer.from(`${developmentMark}-only ${purpose}, never use it elsewhere`) })
export const developmentSigningKeys = developmentKey('token signing key')
export const developmentPeppers = developmentKey('client secret pepper')
export const developmentMasterKeys = developmentKey('data master key')

/** The settings that were given, for the one command that starts other processes with them and some of its own. */
export function developmentSettings(): Record<string, string | undefined> {
  return { ...process.env }
}

export function readConfig(env: Record<string, string | undefined> = process.env) {
  const problems: string[] = []
  const environment = read('ENVIRONMENT', oneOf(environments), 'development') ?? 'development'
  const isDevelopment = environment === 'development'

  /** A setting whose default, if it has one, is for development only: staging and live must say what they mean. */
  function read<Value>(name: string, parse: (text: string) => Value, developmentDefault?: string): Value | undefined {
    const text = env[name] || (name === 'ENVIRONMENT' || isDevelopment ? developmentDefault : undefined)
    if (text === undefined) {
      problems.push(`${name} is missing: set it. See docs/configuration.md for what it means.`)
      return undefined
    }
    return parsed(name, text, parse)
  }

  /** A setting that is safe to leave alone in every environment. */
  function optional<Value>(name: string, parse: (text: string) => Value, fallback: string): Value | undefined {
    return parsed(name, env[name] || fallback, parse)
  }

  /** A setting that may be absent. */
  function absentable<Value>(name: string, parse: (text: string) => Value): Value | undefined {
    const text = env[name]
    return text ? parsed(name, text, parse) : undefined
  }

  function parsed<Value>(name: string, text: string, parse: (text: string) => Value): Value | undefined {
    try {
      return parse(text)
    } catch (error) {
      problems.push(`${name} cannot be used: ${(error as Error).message}.`)
      return undefined
    }
  }

  const secretRing = (text: string): KeyRing => {
    const ring = parseKeyRing(text)
    const isFromDevelopment = text.split(',').some((entry) => {
      const id = entry.trim().split(':')[0] ?? ''
      return ring.find(id)?.secret.toString('latin1').startsWith(developmentMark)
    })
    if (isFromDevelopment && !isDevelopment)
      throw new Error(`it holds a development key, which anybody can read; ${environment} needs a random one`)
    return ring
  }

  const databaseUrl = read('DATABASE_URL', url(['postgres:', 'postgresql:']))
  const namedCells = absentable('CELLS', cellList)
  const cells = databaseUrl && (namedCells ?? new Map([['main', databaseUrl]]))
  const ownerDatabaseUrl = absentable('OWNER_DATABASE_URL', url(['postgres:', 'postgresql:'])) ?? databaseUrl
  if (namedCells && env['OWNER_DATABASE_URL'] && !env['OWNER_CELLS'])
    problems.push(
      'OWNER_CELLS is missing: with CELLS and OWNER_DATABASE_URL set, name the cells with the owning login too.',
    )
  if (env['PKCS11_MODULE'] && !env['PKCS11_PIN'])
    problems.push('PKCS11_PIN is missing: with PKCS11_MODULE set, give the PIN of the user of its token.')
  const settings = {
    environment,
    host: optional('HOST', nonEmpty, '127.0.0.1'),
    port: optional('PORT', integer(0, 65_535), '8080'),
    operatorHost: optional('OPERATOR_HOST', nonEmpty, '127.0.0.1'),
    operatorPort: optional('OPERATOR_PORT', integer(0, 65_535), '8081'),
    indexerPort: optional('INDEXER_PORT', integer(0, 65_535), '8082'),
    metricsPort: optional('METRICS_PORT', integer(1, 65_535), '9464'),
    publicBaseUrl: absentable('PUBLIC_BASE_URL', url(['https:', 'http:'])),
    trustedProxies: absentable('TRUSTED_PROXIES', addressList),
    databaseUrl,
    cells,
    ownerDatabaseUrl,
    ownerCells:
      absentable('OWNER_CELLS', cellList) ??
      (namedCells ? cells : ownerDatabaseUrl && new Map([['main', ownerDatabaseUrl]])),
    databasePoolMax: optional('DATABASE_POOL_MAX', integer(1, 500), '20'),
    redisUrl: isDevelopment ? absentable('REDIS_URL', redisUrl) : read('REDIS_URL', redisUrl),
    tokenSigningKeys: read('TOKEN_SIGNING_KEYS', secretRing, developmentSigningKeys),
    secretPeppers: read('SECRET_PEPPERS', secretRing, developmentPeppers),
    dataMasterKeys: read('DATA_MASTER_KEYS', secretRing, developmentMasterKeys),
    smtpUrl: read('SMTP_URL', url(['smtp:', 'smtps:']), 'smtp://127.0.0.1:1025'),
    mailFrom: read('MAIL_FROM', nonEmpty, 'Investor Token Service <no-reply@localhost>'),
    chains: absentable('CHAINS', chainList) ?? new Map<string, string>(),
    bumpSeconds: optional('BUMP_SECONDS', integer(1, 86_400), '60'),
    pkcs11Module: absentable('PKCS11_MODULE', nonEmpty),
    pkcs11Pin: absentable('PKCS11_PIN', nonEmpty),
    webhookPorts: optional('WEBHOOK_PORTS', portList, '443,8443'),
    webhookNetworks: absentable('WEBHOOK_NETWORKS', addressList),
    webhookTimeoutMs: optional('WEBHOOK_TIMEOUT_MS', integer(100, 60_000), '15000'),
    logLevel: optional('LOG_LEVEL', oneOf(['debug', 'info', 'warn', 'error', 'silent'] as const), 'info'),
    traceEndpoint: absentable('OTEL_EXPORTER_OTLP_ENDPOINT', url(['http:', 'https:'])),
    requestsInFlightMax: optional('REQUESTS_IN_FLIGHT_MAX', integer(1, 100_000), '500'),
    eventLoopDelayMaxMs: optional('EVENT_LOOP_DELAY_MAX_MS', integer(10, 60_000), '1000'),
    drainSeconds: optional('DRAIN_SECONDS', integer(0, 300), isDevelopment ? '0' : '5'),
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze(settings) as Readonly<Complete<typeof settings>>
}

type MayBeAbsent =
  | 'pkcs11Module'
  | 'pkcs11Pin'
  | 'publicBaseUrl'
  | 'trustedProxies'
  | 'redisUrl'
  | 'traceEndpoint'
  | 'webhookNetworks'
/** Once there is no problem, only the settings that may be absent can be undefined. */
type Complete<Settings> = {
  [Name in keyof Settings]: Name extends MayBeAbsent ? Settings[Name] : Exclude<Settings[Name], undefined | ''>
}

function oneOf<const Values extends readonly string[]>(values: Values) {
  return (text: string): Values[number] => {
    if (!values.includes(text)) throw new Error(`it must be one of ${values.join(', ')}`)
    return text
  }
}

function integer(min: number, max: number) {
  return (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= min && value <= max)) throw new Error(`it must be a whole number from ${min} to ${max}`)
    return value
  }
}

function portList(text: string): number[] {
  return text.split(',').map((entry) => integer(1, 65_535)(entry.trim()))
}

function nonEmpty(text: string): string {
  return text
}

function url(protocols: readonly string[]) {
  return (text: string): string => {
    const parsed = URL.parse(text)
    if (!parsed || !protocols.includes(parsed.protocol))
      throw new Error(`it must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`)
    return text.replace(/\/+$/, '')
  }
}

const redisUrl = url(['redis:', 'rediss:'])

function cellList(text: string): Map<string, string> {
  const entries = text
    .trim()
    .split(/\s+/)
    .map((entry): [string, string] => {
      const [, name, address] = /^([a-z][a-z0-9-]{0,30})=(.+)$/.exec(entry) ?? []
      if (!name || !address)
        throw new Error('each cell is written name=postgres://…, with white space between two cells')
      return [name, url(['postgres:', 'postgresql:'])(address)]
    })
  const cells = new Map(entries)
  if (cells.size !== entries.length) throw new Error('two of its cells have the same name')
  return cells
}

/** The chains that offerings may be on, and the node that each is reached through. */
function chainList(text: string): Map<string, string> {
  const entries = text.trim().split(/\s+/)
  return new Map(
    entries.map((entry): [string, string] => {
      const [, name, address] = /^([a-z][a-z0-9-]{0,30})=(.+)$/.exec(entry) ?? []
      if (!name || !address) throw new Error('each chain is written name=http://…, with white space between two chains')
      return [name, url(['http:', 'https:'])(address)]
    }),
  )
}

/** Addresses and networks whose X-Forwarded-For is believed. Checked here so that a typing error stops the start. */
function addressList(text: string): string[] {
  const entries = text.split(',').map((entry) => entry.trim())
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address)
    if (!family) throw new Error('it must be a list of addresses or networks, with commas between them')
    if (bits !== undefined) new BlockList().addSubnet(address, Number(bits), family === 6 ? 'ipv6' : 'ipv4')
  }
  return entries
}
