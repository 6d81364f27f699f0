import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatKey } from '../../../src/platform/base/key-ring.ts'
import { ownerRows, redisUrl } from '../installation/database.ts'
import { freePort, startProcess } from '../installation/process.ts'
import { PgBouncer } from '../servers/pg-bouncer.ts'
import { WebhookReceiver } from '../servers/webhook-receiver.ts'
import type { Attack } from './attack.ts'
import { type AttackStack, send } from './attack-stack.ts'

const names = ['TOKEN_SIGNING_KEYS', 'SECRET_PEPPERS', 'DATA_MASTER_KEYS'] as const
const zeros = formatKey({ id: 'k1', secret: Buffer.alloc(32) })

/** A process names every setting that it rejects, so a refusal for another reason does not count. */
export const weakKeys: Attack = {
  name: 'live with keys of zero bytes, and with one key for all purposes',
  isShort: true,
  run: async ({ installation: { settings } }) => {
    const production = productionSettings({ DATABASE_URL: settings['DATABASE_URL'] ?? '', REDIS_URL: redisUrl })
    const isRefused = async (key: string) => {
      const keys = Object.fromEntries(names.map((name) => [name, key]))
      const refusal = await refusalOf({ ...production, ENVIRONMENT: 'live', ...keys })
      return names.some((name) => refusal?.includes(name))
    }
    const [zero, shared] = await Promise.all([isRefused(zeros), isRefused(randomKey())])
    const word = (refused: boolean) => (refused ? 'refused' : 'accepted')
    const observed = `keys of zero bytes are ${word(zero)}, one key for all purposes is ${word(shared)}`
    return { isDefended: zero && shared, observed }
  },
}

const plain = {
  DATABASE_URL: 'postgres://user@database.example/its',
  REDIS_URL: 'redis://redis.example',
  SMTP_URL: 'smtp://mail.example',
  CHAINS: 'sepolia=http://node.example',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318',
}

export const plainTextConnections: Attack = {
  name: 'live with database, Redis, mail, node and collector without TLS',
  isShort: true,
  run: async () => {
    const { DATABASE_URL, REDIS_URL } = plain
    const settings = { ...productionSettings({ DATABASE_URL, REDIS_URL }), ...plain, ENVIRONMENT: 'live' }
    const refusal = (await refusalOf(settings)) ?? ''
    const accepted = Object.keys(plain).filter((name) => !refusal.includes(name))
    const observed = accepted.length > 0 ? `accepted: ${accepted.join(', ')}` : 'each is refused'
    return { isDefended: accepted.length === 0, observed }
  },
}

/** Someone forgets ENVIRONMENT, as in a container with only the required settings. */
export const developmentOnAllAddresses: Attack = {
  name: 'a process without ENVIRONMENT on 0.0.0.0',
  isShort: true,
  run: async ({ installation: { settings } }) => {
    const refusal = await refusalOf({ DATABASE_URL: settings['DATABASE_URL'] ?? '', HOST: '0.0.0.0' })
    return { isDefended: refusal !== undefined, observed: refusal?.split('\n')[0] ?? 'it listens on every address' }
  },
}

/** Differs from the default address, and stands for the public address of a machine. */
const address = '127.0.0.3'

export const metricsOnPublicAddress: Attack = {
  name: 'metrics on the address of the API',
  isShort: true,
  run: async ({ installation }) => {
    const METRICS_PORT = String(await freePort())
    const api = await installation.startApiProcess({ HOST: address, METRICS_PORT })
    const read = (host: string) =>
      send(`http://${host}:${METRICS_PORT}/metrics`).then(
        ({ status }) => status === 200,
        () => false,
      )
    const [isPublic, isLocal] = [await read(address), await read('127.0.0.1')]
    await api.process.kill()
    if (!isPublic && !isLocal) throw new Error('there are no metrics at all')
    return { isDefended: !isPublic, observed: isPublic ? 'anyone can read them' : 'they are on loopback only' }
  },
}

const readyMsMax = 5_000

/** `set role none` would add the rights of the worker, which sees rows of all tenants, to those of the API. */
export const loginWithBothRoles: Attack = {
  name: 'an API whose database login also has the role of the worker',
  run: async (stack) => {
    const right = await isReadyAs(stack, 'one', 'investor_token_app')
    if (!right) throw new Error('an API with the right login is not ready')
    const both = await isReadyAs(stack, 'both', 'investor_token_app, investor_token_worker')
    return { isDefended: !both, observed: both ? 'it serves requests' : 'it never gets ready' }
  },
}

async function isReadyAs({ installation }: AttackStack, name: string, roles: string): Promise<boolean> {
  const url = new URL(installation.config.databaseUrl)
  const login = `${name}_${url.pathname.slice(1)}`
  await installation.rows(`create role ${login} login noinherit password 'plain'; grant ${roles} to ${login}`)
  url.username = login
  url.password = 'plain'
  const api = await installation.startApiProcess(productionSettings({ DATABASE_URL: url.href, REDIS_URL: redisUrl }))
  try {
    for (const endsAt = performance.now() + readyMsMax; performance.now() < endsAt; await sleep(100))
      if ((await send(`${api.baseUrl}/readyz`)).status === 200) return true
    return false
  } finally {
    await api.process.kill()
    await ownerRows(installation.config.databaseUrl, `drop role ${login}`)
  }
}

/** The pooler drops the startup options, and with them the role that row-level security applies to. */
export const connectionPooler: Attack = {
  name: 'a pooler between API and database that drops the role',
  run: async ({ installation }) => {
    const pooler = await PgBouncer.start(installation.config.databaseUrl, { mode: 'transaction' })
    try {
      const api = await installation.startApiProcess({ DATABASE_URL: pooler.url })
      const tenantId = await installation.createTenant('Pooled')
      const { clientId, clientSecret } = await installation.issueCredential(tenantId)
      const json = { client_id: clientId, client_secret: clientSecret, scopes: ['order.read'] }
      const { status } = await send(`${api.baseUrl}/api/auth`, { json })
      await api.process.kill()
      return { isDefended: status >= 500, observed: `a request gets ${status}` }
    } finally {
      await pooler.stop()
    }
  },
}

const email = 'ada.lovelace@example.com'

export const personalDataInTraces: Attack = {
  name: 'a trace collector reads names and ids from URLs',
  isShort: true,
  run: async (stack) => {
    const collector = await WebhookReceiver.open()
    collector.respond('/v1/traces', 200)
    try {
      const tenant = await stack.tenant()
      const accountId = await tenant.account()
      const { token } = await stack.installation.createOperator(tenant.id)
      const api = await stack.installation.startOperatorApiProcess({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
      const accounts = `${api.baseUrl}/operator/accounts`
      await send(`${accounts}?q=${encodeURIComponent(email)}`, { token })
      await send(`${accounts}/search`, { token, json: { q: email } })
      await send(`${accounts}/${accountId}`, { token })
      // Stopping sends all traces.
      await api.process.stop()
      const traces = collector.messages.map(({ text }) => text).join('')
      if (traces === '') throw new Error('the collector received nothing')
      const leaked = [email, encodeURIComponent(email), accountId].filter((one) => traces.includes(one))
      const observed = leaked.length > 0 ? `it received ${leaked.join(', ')}` : `${traces.length} bytes without them`
      return { isDefended: leaked.length === 0, observed }
    } finally {
      await collector.close()
    }
  },
}

const randomKey = () => formatKey({ id: 'k1', secret: randomBytes(32) })

/** Returns the settings of an installation outside development, with a database and a Redis on this machine. */
function productionSettings(given: { DATABASE_URL: string; REDIS_URL: string }): Record<string, string> {
  return {
    ENVIRONMENT: 'staging',
    DRAIN_SECONDS: '0',
    PUBLIC_BASE_URL: 'https://api.example.com',
    OPERATOR_BASE_URL: 'https://operators.example.com',
    WALLET_PROOF_URL: 'https://invest.example.com',
    TOKEN_SIGNING_KEYS: randomKey(),
    SECRET_PEPPERS: randomKey(),
    DATA_MASTER_KEYS: randomKey(),
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'a@b.example',
    ...given,
  }
}

/** Starts an API. Returns its output if it refuses to start, or undefined if it listens. */
async function refusalOf(settings: Record<string, string>): Promise<string | undefined> {
  const api = startProcess('api', { PORT: '0', METRICS_PORT: String(await freePort()), ...settings })
  const listening = api.logged('listening').then(
    () => undefined,
    () => api.output.join('\n'),
  )
  // The log notices the end of the process too, but only once it has read all output.
  try {
    return await Promise.race([listening, api.ended.then(() => api.output.join('\n'))])
  } finally {
    await api.kill()
  }
}
