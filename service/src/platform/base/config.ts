import { formatKey, type KeyRing, parseKeyRing } from './key-ring.ts'
import {
  addressList,
  type ChainSetting,
  cellList,
  chainList,
  integer,
  nonEmpty,
  oneOf,
  portList,
  redisUrl,
  url,
} from './setting-parsers.ts'

/**
 * All settings of all processes. Only this file reads the environment. `npm run configuration` writes the table of
 * docs/configuration.md from the comment on each setting.
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
    /** address to listen on */
    host: withDefault('HOST', nonEmpty, '127.0.0.1'),
    /** port of the API; 0 picks a free one */
    port: withDefault('PORT', integer(0, 65_535), '8080'),
    /** address that the operator API listens on; keep it internal */
    operatorHost: withDefault('OPERATOR_HOST', nonEmpty, '127.0.0.1'),
    /** port of the operator API; 0 picks a free one */
    operatorPort: withDefault('OPERATOR_PORT', integer(0, 65_535), '8081'),
    /** port of the indexer's `/livez` and `/readyz`; 0 picks a free one */
    indexerPort: withDefault('INDEXER_PORT', integer(0, 65_535), '8082'),
    /** port of `/metrics`; keep it internal */
    metricsPort: withDefault('METRICS_PORT', integer(1, 65_535), '9464'),
    /** base of links in responses; without it, the scheme and host of the request */
    publicBaseUrl: optional('PUBLIC_BASE_URL', url(['https:', 'http:'])),
    /** addresses or networks, separated by commas, whose `X-Forwarded-For` is trusted */
    trustedProxies: optional('TRUSTED_PROXIES', addressList),
    ...readDatabaseUrls(env, reader),
    /** connections per process and database; a worker has up to eight more per cell, for webhooks */
    databasePoolMax: withDefault('DATABASE_POOL_MAX', integer(1, 500), '20'),
    /**
     * where all processes count requests together; without it each process counts alone @default *development:*
     * none
     */
    redisUrl: isDevelopment ? optional('REDIS_URL', redisUrl) : required('REDIS_URL', redisUrl),
    /**
     * `id:secret,id:secret`, base64url, 32 bytes or more: the first signs access tokens, all verify @default
     * *development*
     */
    tokenSigningKeys: required('TOKEN_SIGNING_KEYS', secretKeyRing, developmentSigningKeys),
    /**
     * the same for client secrets; keep old ones as long as secrets created with them are valid @default
     * *development*
     */
    secretPeppers: required('SECRET_PEPPERS', secretKeyRing, developmentPeppers),
    /**
     * the same for the keys that bank and tax data are encrypted with; keep old ones until `maintain
     * rewrap-data-keys` has run for every tenant @default *development*
     */
    dataMasterKeys: required('DATA_MASTER_KEYS', secretKeyRing, developmentMasterKeys),
    /** the mail server, with credentials if it needs them @default *development:* `smtp://127.0.0.1:1025` */
    smtpUrl: required('SMTP_URL', url(['smtp:', 'smtps:']), 'smtp://127.0.0.1:1025'),
    /** sender of mails @default *development* */
    mailFrom: required('MAIL_FROM', nonEmpty, 'Investor Token Service <no-reply@localhost>'),
    /**
     * `name=http://… name=http://…,http://…`: the chains that tokens are minted on, and the nodes of each, of which
     * more than half must agree; a chain id that the name does not imply is written `name:123=http://…`; worker,
     * indexer and `maintain create-signer` need it @default none
     */
    chains: optional('CHAINS', chainList) ?? new Map<string, ChainSetting>(),
    /** the highest fee per gas that is signed; transactions wait while the base fee is higher */
    maxFeeGwei: withDefault('MAX_FEE_GWEI', integer(1, 1_000_000), '500'),
    /** how long a transaction may stay unmined before its fee is raised */
    bumpSeconds: withDefault('BUMP_SECONDS', integer(1, 86_400), '60'),
    /**
     * library path of the PKCS#11 module that new signing keys are created in; without it keys are stored
     * encrypted in the database
     */
    pkcs11Module: optional('PKCS11_MODULE', nonEmpty),
    /** user PIN of the only token of that module */
    pkcs11Pin: optional('PKCS11_PIN', nonEmpty),
    /** ports that webhooks may be sent to; not limited in development */
    webhookPorts: withDefault('WEBHOOK_PORTS', portList, '443,8443'),
    /**
     * private addresses or networks, separated by commas, that webhooks may be sent to. Every tenant can then
     * reach them.
     */
    webhookNetworks: optional('WEBHOOK_NETWORKS', addressList),
    /** how long a receiver may take in total */
    webhookTimeoutMs: withDefault('WEBHOOK_TIMEOUT_MS', integer(100, 60_000), '15000'),
    /** `debug`, `info`, `warn`, `error` or `silent` */
    logLevel: withDefault('LOG_LEVEL', oneOf(['debug', 'info', 'warn', 'error', 'silent'] as const), 'info'),
    /** base URL of an OpenTelemetry collector (HTTP); traces are sent when it is set */
    traceEndpoint: optional('OTEL_EXPORTER_OTLP_ENDPOINT', url(['http:', 'https:'])),
    /** above this number requests get 503 */
    requestsInFlightMax: withDefault('REQUESTS_IN_FLIGHT_MAX', integer(1, 100_000), '500'),
    /** above this event-loop delay requests get 503 */
    eventLoopDelayMaxMs: withDefault('EVENT_LOOP_DELAY_MAX_MS', integer(10, 60_000), '1000'),
    /** how long a stopping process keeps serving so that load balancers notice @default 5, *development:* 0 */
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

  /** `development`, `staging` or `live`. Decides which contract versions are served. */
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
  /** the directory; also the only cell, `main`, unless `CELLS` is set */
  const databaseUrl = required('DATABASE_URL', postgresUrl)
  /** `name=postgres://… name=postgres://…`: every cell and its database */
  const namedCells = optional('CELLS', cellList)
  const cells = namedCells ?? (databaseUrl && new Map([['main', databaseUrl]]))
  /** the directory with the login that owns the tables; only `maintain migrate` uses it @default as above */
  const ownerDatabaseUrl = optional('OWNER_DATABASE_URL', postgresUrl) ?? databaseUrl
  const ownerCells =
    /** the cells with the login that owns the tables; only `maintain migrate` uses it @default as above */
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
