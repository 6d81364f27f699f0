import { BlockList, isIP } from 'node:net'
import { formatKey, type KeyRing, parseKeyRing } from './key-ring.ts'

/**
 * All settings of all processes. Only this file reads the environment. docs/configuration.md documents each setting.
 */
export type Config = ReturnType<typeof readConfig>

const environments = ['development', 'staging', 'live'] as const
export type Environment = (typeof environments)[number]

/** Prevents the start of a process. One sentence per missing or invalid setting; never contains a setting's value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

// The development keys are public, so staging and live reject every key that starts with this prefix.
const developmentPrefix = 'development'
const developmentKey = (purpose: string) =>
  formatKey({ id: 'development', secret: Buffer.from(`${developmentPrefix}-only ${purpose}, never use it elsewhere`) })
export const developmentSigningKeys = developmentKey('token signing key')
export const developmentPeppers = developmentKey('client secret pepper')
export const developmentMasterKeys = developmentKey('data master key')

/** The environment variables as given, for `npm run dev`, which passes them on to the processes that it starts. */
export function developmentSettings(): EnvironmentVariables {
  return { ...process.env }
}

export function readConfig(env: EnvironmentVariables = process.env) {
  const reader = settingsReader(env)
  const { environment, isDevelopment, problems, required, withDefault, optional, secretKeyRing } = reader
  if (env['PKCS11_MODULE'] && !env['PKCS11_PIN'])
    problems.push('PKCS11_PIN is missing. PKCS11_MODULE is set, so also set the user PIN of its token.')
  const settings = {
    environment,
    host: withDefault('HOST', nonEmpty, '127.0.0.1'),
    port: withDefault('PORT', integer(0, 65_535), '8080'),
    operatorHost: withDefault('OPERATOR_HOST', nonEmpty, '127.0.0.1'),
    operatorPort: withDefault('OPERATOR_PORT', integer(0, 65_535), '8081'),
    indexerPort: withDefault('INDEXER_PORT', integer(0, 65_535), '8082'),
    metricsPort: withDefault('METRICS_PORT', integer(1, 65_535), '9464'),
    publicBaseUrl: optional('PUBLIC_BASE_URL', url(['https:', 'http:'])),
    trustedProxies: optional('TRUSTED_PROXIES', addressList),
    ...readDatabaseUrls(env, reader),
    databasePoolMax: withDefault('DATABASE_POOL_MAX', integer(1, 500), '20'),
    redisUrl: isDevelopment ? optional('REDIS_URL', redisUrl) : required('REDIS_URL', redisUrl),
    tokenSigningKeys: required('TOKEN_SIGNING_KEYS', secretKeyRing, developmentSigningKeys),
    secretPeppers: required('SECRET_PEPPERS', secretKeyRing, developmentPeppers),
    dataMasterKeys: required('DATA_MASTER_KEYS', secretKeyRing, developmentMasterKeys),
    smtpUrl: required('SMTP_URL', url(['smtp:', 'smtps:']), 'smtp://127.0.0.1:1025'),
    mailFrom: required('MAIL_FROM', nonEmpty, 'Investor Token Service <no-reply@localhost>'),
    chains: optional('CHAINS', chainList) ?? new Map<string, string>(),
    bumpSeconds: withDefault('BUMP_SECONDS', integer(1, 86_400), '60'),
    pkcs11Module: optional('PKCS11_MODULE', nonEmpty),
    pkcs11Pin: optional('PKCS11_PIN', nonEmpty),
    webhookPorts: withDefault('WEBHOOK_PORTS', portList, '443,8443'),
    webhookNetworks: optional('WEBHOOK_NETWORKS', addressList),
    webhookTimeoutMs: withDefault('WEBHOOK_TIMEOUT_MS', integer(100, 60_000), '15000'),
    logLevel: withDefault('LOG_LEVEL', oneOf(['debug', 'info', 'warn', 'error', 'silent'] as const), 'info'),
    traceEndpoint: optional('OTEL_EXPORTER_OTLP_ENDPOINT', url(['http:', 'https:'])),
    requestsInFlightMax: withDefault('REQUESTS_IN_FLIGHT_MAX', integer(1, 100_000), '500'),
    eventLoopDelayMaxMs: withDefault('EVENT_LOOP_DELAY_MAX_MS', integer(10, 60_000), '1000'),
    drainSeconds: withDefault('DRAIN_SECONDS', integer(0, 300), isDevelopment ? '0' : '5'),
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze(settings) as Readonly<Complete<typeof settings>>
}

type EnvironmentVariables = Record<string, string | undefined>
type Parse<Value> = (text: string) => Value

/** Parses settings and collects one problem for each that is missing or invalid. */
function settingsReader(env: EnvironmentVariables) {
  const problems: string[] = []

  function parsed<Value>(name: string, text: string, parse: Parse<Value>): Value | undefined {
    try {
      return parse(text)
    } catch (error) {
      problems.push(`${name} is invalid: ${(error as Error).message}.`)
      return undefined
    }
  }

  /** A setting whose default is safe in every environment. */
  function withDefault<Value>(name: string, parse: Parse<Value>, fallback: string): Value | undefined {
    return parsed(name, env[name] || fallback, parse)
  }

  /** A setting that may be undefined. */
  function optional<Value>(name: string, parse: Parse<Value>): Value | undefined {
    const text = env[name]
    return text ? parsed(name, text, parse) : undefined
  }

  const environment = withDefault('ENVIRONMENT', oneOf(environments), 'development') ?? 'development'
  const isDevelopment = environment === 'development'

  /** A setting that staging and live must set explicitly. A default, if any, applies to development only. */
  function required<Value>(name: string, parse: Parse<Value>, developmentDefault?: string): Value | undefined {
    const text = env[name] || (isDevelopment ? developmentDefault : undefined)
    if (text !== undefined) return parsed(name, text, parse)
    problems.push(`${name} is missing. Set it; docs/configuration.md describes it.`)
    return undefined
  }

  function secretKeyRing(text: string): KeyRing {
    const ring = parseKeyRing(text)
    const hasDevelopmentKey = text.split(',').some((entry) => {
      const id = entry.trim().split(':')[0] ?? ''
      return ring.find(id)?.secret.toString('latin1').startsWith(developmentPrefix)
    })
    if (hasDevelopmentKey && !isDevelopment)
      throw new Error(`it contains a development key, which is public; generate a random key for ${environment}`)
    return ring
  }

  return { environment, isDevelopment, problems, required, withDefault, optional, secretKeyRing }
}

/** The directory and the cells: with the login of the service, and with the owner login that migrations use. */
function readDatabaseUrls(
  env: EnvironmentVariables,
  { problems, required, optional }: ReturnType<typeof settingsReader>,
) {
  const postgresUrl = url(['postgres:', 'postgresql:'])
  const databaseUrl = required('DATABASE_URL', postgresUrl)
  const namedCells = optional('CELLS', cellList)
  const cells = namedCells ?? (databaseUrl && new Map([['main', databaseUrl]]))
  const ownerDatabaseUrl = optional('OWNER_DATABASE_URL', postgresUrl) ?? databaseUrl
  const ownerCells =
    optional('OWNER_CELLS', cellList) ??
    (namedCells ? cells : ownerDatabaseUrl && new Map([['main', ownerDatabaseUrl]]))
  if (namedCells && env['OWNER_DATABASE_URL'] && !env['OWNER_CELLS'])
    problems.push(
      'OWNER_CELLS is missing. CELLS and OWNER_DATABASE_URL are set, so also list the cells with the owner login.',
    )
  return { databaseUrl, cells, ownerDatabaseUrl, ownerCells }
}

type OptionalSetting =
  | 'pkcs11Module'
  | 'pkcs11Pin'
  | 'publicBaseUrl'
  | 'trustedProxies'
  | 'redisUrl'
  | 'traceEndpoint'
  | 'webhookNetworks'
/** Without problems, only optional settings can be undefined. */
type Complete<Settings> = {
  [Name in keyof Settings]: Name extends OptionalSetting ? Settings[Name] : Exclude<Settings[Name], undefined | ''>
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
      throw new Error(`it must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`)
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
        throw new Error('each cell must be written name=postgres://…, and cells are separated by white space')
      return [name, url(['postgres:', 'postgresql:'])(address)]
    })
  const cells = new Map(entries)
  if (cells.size !== entries.length) throw new Error('two cells have the same name')
  return cells
}

/** The chains that offerings can use, each with the URL of its node. */
function chainList(text: string): Map<string, string> {
  const entries = text.trim().split(/\s+/)
  return new Map(
    entries.map((entry): [string, string] => {
      const [, name, address] = /^([a-z][a-z0-9-]{0,30})=(.+)$/.exec(entry) ?? []
      if (!name || !address)
        throw new Error('each chain must be written name=http://…, and chains are separated by white space')
      return [name, url(['http:', 'https:'])(address)]
    }),
  )
}

/** A list of IP addresses and networks. Validated here, so that a typo prevents the start. */
function addressList(text: string): string[] {
  const entries = text.split(',').map((entry) => entry.trim())
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address)
    if (!family) throw new Error('it must be a comma-separated list of IP addresses or networks')
    if (bits !== undefined) new BlockList().addSubnet(address, Number(bits), family === 6 ? 'ipv6' : 'ipv4')
  }
  return entries
}
