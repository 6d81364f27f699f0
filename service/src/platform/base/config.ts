import { versionNames } from './contract-versions.ts'
import { readDatabaseUrls, readOwnerLogins } from './database-settings.ts'
import { developmentKeys } from './development-keys.ts'
import { parseKeyRing } from './key-ring.ts'
import { type EnvironmentVariables, secretSettings, withSecretFiles } from './secret-files.ts'
import {
  addressList,
  attributeList,
  type ChainSetting,
  chainList,
  integer,
  listOf,
  namedValues,
  nonEmpty,
  oneOf,
  portList,
  redisUrl,
  siteUrl,
  url,
} from './setting-parsers.ts'
import { settingsReader } from './settings-reader.ts'
import { readTrafficLimits } from './traffic-settings.ts'

/**
 * All settings of all processes. Only this file reads the environment. `npm run generate -- configuration` writes the
 * table of docs/configuration.md from the comment on each setting.
 */
export type Config = ReturnType<typeof readConfig>

/** Prevents the start of a process. One sentence per missing or invalid setting; never contains a setting's value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Returns the environment variables as given. `npm run dev` passes them on to the processes that it starts. */
export function developmentSettings(): EnvironmentVariables {
  const problems: string[] = []
  const settings = withSecretFiles(process.env, problems)
  if (problems.length > 0) throw new ConfigError(problems)
  for (const name of secretSettings) delete settings[`${name}_FILE`]
  return settings
}

/** Reads the databases with the login that owns the tables. Migrations need nothing else, and get no other secret. */
export function readOwnerConfig(env: EnvironmentVariables = process.env) {
  const reader = settingsReader(env)
  const { ownerDatabaseUrl, ownerCells, areCellsListed } = readOwnerLogins(reader)
  if (reader.problems.length > 0 || !ownerDatabaseUrl || !ownerCells) throw new ConfigError(reader.problems)
  return { ownerDatabaseUrl, ownerCells, areCellsListed }
}

export function readConfig(env: EnvironmentVariables = process.env) {
  const reader = settingsReader(env)
  const { environment, isDevelopment, problems, isSet, required, withDefault, optional } = reader
  const { encrypted, listenAddress } = reader
  const webUrl = encrypted(url(['https:', 'http:']))
  if (isSet('PKCS11_MODULE') && !isSet('PKCS11_PIN'))
    problems.push('PKCS11_PIN is missing. PKCS11_MODULE is set, so also set the user PIN of its token.')
  const settings = {
    environment,
    /**
     * contract versions, separated by commas, that staging and live serve; development serves all of them. Without it
     * staging and live issue no tokens @default none
     */
    releasedVersions: optional('RELEASED_VERSIONS', listOf(versionNames)) ?? [],
    /** address that the API listens on */
    host: withDefault('HOST', listenAddress, '127.0.0.1'),
    /** port of the API; 0 picks a free one */
    port: withDefault('PORT', integer(0, 65_535), '8080'),
    /** address that the operator API listens on; keep it internal */
    operatorHost: withDefault('OPERATOR_HOST', listenAddress, '127.0.0.1'),
    /** port of the operator API; 0 picks a free one */
    operatorPort: withDefault('OPERATOR_PORT', integer(0, 65_535), '8081'),
    /** port of the indexer's `/livez` and `/readyz`; 0 picks a free one */
    indexerPort: withDefault('INDEXER_PORT', integer(0, 65_535), '8082'),
    /** port of the worker's `/livez` and `/readyz`; 0 picks a free one */
    workerPort: withDefault('WORKER_PORT', integer(0, 65_535), '8084'),
    /** address of `/metrics`, and of `/livez` and `/readyz` of indexer and worker; keep it internal */
    metricsHost: withDefault('METRICS_HOST', listenAddress, '127.0.0.1'),
    /** port of `/metrics` */
    metricsPort: withDefault('METRICS_PORT', integer(1, 65_535), '9464'),
    /** base of links in responses of the API @default *development:* scheme and host of the request */
    publicBaseUrl: isDevelopment ? optional('PUBLIC_BASE_URL', webUrl) : required('PUBLIC_BASE_URL', webUrl),
    /** base of links in responses of the operator API @default *development:* scheme and host of the request */
    operatorBaseUrl: isDevelopment ? optional('OPERATOR_BASE_URL', webUrl) : required('OPERATOR_BASE_URL', webUrl),
    /**
     * the site where investors of tenants without their own site sign wallet proofs: wallets show its host and warn on
     * any other site @default *development:* `http://localhost`
     */
    walletProofUrl: required('WALLET_PROOF_URL', encrypted(siteUrl), 'http://localhost'),
    ...readProviders(reader),
    /** addresses or networks, separated by commas, whose `X-Forwarded-For` is trusted */
    trustedProxies: optional('TRUSTED_PROXIES', addressList),
    ...readDatabaseUrls(reader),
    /** connections per process and database, see [Connections to PostgreSQL](#connections-to-postgresql) */
    databasePoolMax: withDefault('DATABASE_POOL_MAX', integer(2, 500), '10'),
    /** how long a request waits for a connection, from 1 to 30; after that it gets 503 */
    databaseConnectTimeoutSeconds: withDefault('DATABASE_CONNECT_TIMEOUT_SECONDS', integer(1, 30), '2'),
    /**
     * how long a statement waits for a lock, from 1 to 15; statements may take twice as long, and a transaction may be
     * idle for three times as long
     */
    databaseLockTimeoutSeconds: withDefault('DATABASE_LOCK_TIMEOUT_SECONDS', integer(1, 15), '5'),
    /**
     * where all processes count requests together; without it each process counts alone @default *development:*
     * none
     */
    redisUrl: isDevelopment ? optional('REDIS_URL', redisUrl) : required('REDIS_URL', encrypted(redisUrl)),
    /** how long a request waits for Redis; then its process counts alone for a second */
    redisTimeoutMs: withDefault('REDIS_TIMEOUT_MS', integer(10, 10_000), '250'),
    /**
     * `id:secret,id:secret`, base64url, 32 random bytes or more: the first signs access tokens, all verify @default
     * *development:* generated
     */
    tokenSigningKeys: required('TOKEN_SIGNING_KEYS', parseKeyRing, () => developmentKeys().tokenSigningKeys),
    /**
     * the same for client secrets; keep old ones as long as secrets created with them are valid @default
     * *development:* generated
     */
    secretPeppers: required('SECRET_PEPPERS', parseKeyRing, () => developmentKeys().secretPeppers),
    /**
     * the same for the keys that bank and tax data are encrypted with; keep old ones until `maintain
     * rewrap-data-keys --all` has run @default *development:* generated
     */
    dataMasterKeys: required('DATA_MASTER_KEYS', parseKeyRing, () => developmentKeys().dataMasterKeys),
    /** the mail server, with credentials if it needs them @default *development:* `smtp://127.0.0.1:1025` */
    smtpUrl: required('SMTP_URL', encrypted(url(['smtp:', 'smtps:'])), 'smtp://127.0.0.1:1025'),
    /** sender of mails @default *development* */
    mailFrom: required('MAIL_FROM', nonEmpty, 'Investor Token Service <no-reply@localhost>'),
    /**
     * `name=http://… name=http://…,http://…`: the chains that tokens are minted on, and the nodes of each, of which
     * more than half must agree; a chain id that the name does not imply is written `name:123=http://…`; worker,
     * indexer and `maintain create-signer` need it, and both APIs to ask contract wallets @default none
     */
    chains: optional('CHAINS', encrypted(chainList)) ?? new Map<string, ChainSetting>(),
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
    traceEndpoint: optional('OTEL_EXPORTER_OTLP_ENDPOINT', webUrl),
    /** name of the service in traces and in `target_info` @default `investor-token-` and the name of the process */
    serviceName: optional('OTEL_SERVICE_NAME', nonEmpty),
    /** `name=value,name=value`: further attributes of the process in traces and `target_info`, percent-encoded */
    resourceAttributes: optional('OTEL_RESOURCE_ATTRIBUTES', attributeList) ?? {},
    /** the commit that the image was built from, for the metric `build_info`; the image sets it */
    buildCommit: optional('BUILD_COMMIT', nonEmpty),
    /**
     * where the worker posts the ends of the audit logs every hour, as JSON; keep them where no one who can write to
     * the database can change them
     */
    auditHeadsUrl: optional('AUDIT_HEADS_URL', webUrl),
    ...readTrafficLimits(reader),
    /** above this event-loop delay requests get 503 */
    eventLoopDelayMaxMs: withDefault('EVENT_LOOP_DELAY_MAX_MS', integer(10, 60_000), '1000'),
    /** how long a stopping process keeps serving so that load balancers notice @default 5, *development:* 0 */
    drainSeconds: withDefault('DRAIN_SECONDS', integer(0, 300), isDevelopment ? '0' : '5'),
  }
  reader.rejectSharedKeys({
    TOKEN_SIGNING_KEYS: settings.tokenSigningKeys,
    SECRET_PEPPERS: settings.secretPeppers,
    DATA_MASTER_KEYS: settings.dataMasterKeys,
  })
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze(settings)
}

/**
 * Returns the URL of the operator API for people. Passkeys need a host name, so development does not use its address.
 */
export function operatorUrlOf({
  operatorBaseUrl,
  operatorPort,
}: Pick<Config, 'operatorBaseUrl' | 'operatorPort'>): string {
  return operatorBaseUrl ?? `http://localhost:${operatorPort}`
}

/** An OpenID provider at which operator users sign in. */
export interface ProviderSetting {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Values of the claims `acr` and `amr` that mean that the provider checked a second factor. */
  readonly secondFactors: readonly string[]
}

/** Providers belong to the installation: `maintain set-provider` assigns one to a tenant. */
function readProviders({ environment, problems, optional }: ReturnType<typeof settingsReader>) {
  const none = new Map<string, string>()
  /** `name=https://… name=https://…`: the OpenID providers at which operator users sign in, by name @default none */
  const issuers = optional('OIDC_PROVIDERS', namedValues) ?? none
  /** `name=id name=id`: the client id at each provider @default none */
  const clientIds = optional('OIDC_CLIENT_IDS', namedValues) ?? none
  /** `name=secret name=secret`: the client secret at each provider @default none */
  const clientSecrets = optional('OIDC_CLIENT_SECRETS', namedValues) ?? none
  /**
   * `name=mfa,hwk name=…`: values of the claims `acr` or `amr` that count as a second factor, so that no passkey is
   * needed; without an entry only passkeys count @default none
   */
  const secondFactors = optional('OIDC_SECOND_FACTORS', namedValues) ?? none
  const identityProviders = new Map<string, ProviderSetting>()
  for (const [name, issuer] of issuers) {
    const [clientId, clientSecret] = [clientIds.get(name), clientSecrets.get(name)]
    const protocol = URL.parse(issuer)?.protocol
    // The provider of `npm run dev` signs people in without a password. Outside development, http is rejected even for
    // an address of this machine.
    if (protocol !== 'https:' && !(environment === 'development' && protocol === 'http:'))
      problems.push(`OIDC_PROVIDERS is invalid: the issuer of ${name} must be a URL that starts with https://.`)
    if (!clientId) problems.push(`OIDC_CLIENT_IDS is invalid: it does not list ${name} of OIDC_PROVIDERS.`)
    if (!clientSecret) problems.push(`OIDC_CLIENT_SECRETS is invalid: it does not list ${name} of OIDC_PROVIDERS.`)
    if (clientId && clientSecret)
      identityProviders.set(name, {
        issuer,
        clientId,
        clientSecret,
        secondFactors: secondFactors.get(name)?.split(',') ?? [],
      })
  }
  if (new Set(issuers.values()).size !== issuers.size)
    problems.push('OIDC_PROVIDERS is invalid: two providers have the same issuer.')
  return { identityProviders }
}
