// Starts a complete local installation: database, mail server, chain, demo tenants and all processes.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import closeWithGrace from 'close-with-grace'
import { readConfigOrExit } from '../main/start.ts'
import { migrate } from '../maintain/migrate/migrate.ts'
import { type Config, developmentSettings } from '../platform/base/config.ts'
import { createLogger } from '../platform/base/log.ts'
import { openDatabases } from '../platform/postgres/pools.ts'
import { buildConsole } from './build-console.ts'
import { type Demo, ensureDemo, writeDemo } from './dev-demo.ts'
import { openDevMailbox } from './dev-mailbox.ts'
import { ExampleClient } from './example-client.ts'
import { createExamples } from './example-data.ts'
import { LocalChain, setBalanceOn } from './local-chain.ts'
import { LocalPostgres } from './local-postgres.ts'
import { LocalProvider } from './local-provider.ts'

const folder = fileURLToPath(new URL('../../../.dev/', import.meta.url))
const isFresh = process.argv.includes('--fresh')
const given = developmentSettings()

// In starting order. Shutdown runs in reverse order, whatever its cause.
const stops: (() => Promise<void>)[] = []
let isStopping = false
closeWithGrace({ delay: 20_000, logger: false }, async ({ err }) => {
  isStopping = true
  if (err) process.stderr.write(`${err.message}\n`)
  for (const stop of stops.toReversed()) await stop()
  if (!err) print('Stopped. The data is kept in .dev/ for the next start.')
})

if (isFresh && given.DATABASE_URL)
  throw new Error('--fresh deletes the built-in database only. DATABASE_URL is set: drop that database yourself.')
const chosen = { PORT: '8080', OPERATOR_PORT: '8081', METRICS_PORT: '9464', ...given }
const providerPort = portOf('PROVIDER_PORT', given.PROVIDER_PORT || '8083')
const anvilPort = portOf('ANVIL_PORT', given.ANVIL_PORT || '8545')
const givenChains = await checkSettings()
if (isFresh) await rm(folder, { recursive: true, force: true })
await mkdir(`${folder}logs`, { recursive: true })
// Runs in parallel: until the console is built, the operator API shows a page that says so and reloads itself.
const build = buildConsole(`${folder}logs/console-build.log`)
if (build) stops.push(build.stop)

print(given.DATABASE_URL ? 'Using the database of DATABASE_URL.' : 'Starting PostgreSQL …')
const database = given.DATABASE_URL ? undefined : await LocalPostgres.open(`${folder}postgres`)
if (database) stops.push(() => database.stop())
const mailbox = await openDevMailbox(`${folder}mail`)
stops.push(() => mailbox.close())
const CHAINS = givenChains.has('anvil') ? given.CHAINS : `${given.CHAINS ?? ''} anvil=${await startChain()}`
// Uses a name instead of an address, because passkeys need a host name.
const consoleUrl = given.OPERATOR_BASE_URL || `http://localhost:${chosen.OPERATOR_PORT}`
const provider = given.OIDC_PROVIDERS ? undefined : await startProvider()
const settings = {
  DATABASE_URL: database?.url,
  SMTP_URL: mailbox.url,
  OPERATOR_BASE_URL: consoleUrl,
  ...provider?.settings,
  ...chosen,
  CHAINS,
}
const config = readConfigOrExit(settings)
const chainUrl = config.chains.get('anvil')?.urls[0] ?? ''

let applied = 0
await migrate(config, () => {
  applied += 1
})
if (applied > 0) print('Applied the migrations.')
const databases = openDatabases(config, createLogger('silent', 'dev'))
const baseUrl = `http://${config.host}:${config.port}`
const operatorUrl = `http://${config.operatorHost}:${config.operatorPort}`
const urls = { baseUrl, operatorUrl, chainUrl, issuer: provider?.issuer }
const credentialsFile = `${folder}credentials.json`
const demo = await ensureDemo(databases, config, credentialsFile, urls)
await setBalanceOn(chainUrl, demo.chain.signer_address, '1000')
await databases.end()

start('api')
const metricsPort = (offset: number) => String(config.metricsPort + offset)
start('worker', { WORKER_PORT: '0', METRICS_PORT: metricsPort(1) })
start('operator-api', { METRICS_PORT: metricsPort(2) })
start('indexer', { INDEXER_PORT: '0', METRICS_PORT: metricsPort(3) })
await untilReady(`${baseUrl}/readyz`, 'api')
await untilReady(`${operatorUrl}/readyz`, 'operator-api')
printInstructions(demo)
if (!demo.examples.is_complete) await fillExamples(demo)

/** Checks settings and ports before anything starts, so that an error leaves nothing running. Returns CHAINS. */
async function checkSettings(): Promise<Config['chains']> {
  const { environment, chains, ...checked } = readConfigOrExit({ DATABASE_URL: 'postgres://to-be-started', ...chosen })
  if (environment !== 'development') throw new Error('npm run dev is for development: unset ENVIRONMENT.')
  for (const [name, host, port] of [
    ['PORT', checked.host, checked.port],
    ['OPERATOR_PORT', checked.operatorHost, checked.operatorPort],
    // One port per process, consecutive.
    ...[0, 1, 2, 3].map((offset) => ['METRICS_PORT', checked.metricsHost, checked.metricsPort + offset] as const),
    ...(chains.has('anvil') ? [] : [['ANVIL_PORT', '127.0.0.1', anvilPort] as const]),
    ...(given.OIDC_PROVIDERS ? [] : [['PROVIDER_PORT', '127.0.0.1', providerPort] as const]),
  ] as const)
    if (!(await isFree(host, port)))
      throw new Error(`Port ${port} is in use: stop the process that uses it, or set ${name}.`)
  return chains
}

/** Starts the chain. Its state is kept as long as the database, because the nonces in both must match. */
async function startChain(): Promise<string> {
  const chain = await LocalChain.open({ port: anvilPort, blockSeconds: 1, stateFile: `${folder}chain.json` })
  stops.push(() => chain.stop())
  return chain.url
}

/** Starts a real OpenID provider, at which the two demo people sign in with a click. */
async function startProvider(): Promise<{ issuer: string; settings: Record<string, string> }> {
  const client = { clientId: 'investor-token', clientSecret: 'only-for-development' }
  const pages = `${consoleUrl}/console/sign-in/demo`
  const local = await LocalProvider.open({
    port: providerPort,
    clients: [{ ...client, redirectUris: [`${pages}/callback`], backchannelLogoutUri: `${pages}/logout` }],
  })
  stops.push(() => local.stop())
  return {
    issuer: local.issuer,
    settings: {
      OIDC_PROVIDERS: `demo=${local.issuer}`,
      OIDC_CLIENT_IDS: `demo=${client.clientId}`,
      OIDC_CLIENT_SECRETS: `demo=${client.clientSecret}`,
      OIDC_SECOND_FACTORS: 'demo=mfa',
    },
  }
}

/** Creates the examples in a few seconds, during which everything works. The next start continues it if interrupted. */
async function fillExamples({ tenants, examples }: Demo): Promise<void> {
  const tenant = tenants[2]
  const credential = tenant?.credentials[0]
  if (!tenant || !credential) throw new Error('the demo has no tenant for examples')
  const ending = new AbortController()
  stops.push(async () => ending.abort())
  try {
    const access = { baseUrl, operatorUrl, personalToken: tenant.user.personal_token, credential }
    const client = await ExampleClient.open({ ...access, signal: ending.signal })
    await setBalanceOn(chainUrl, examples.signer_address, '1000')
    await createExamples(client, examples.offering_ids)
    await writeDemo(credentialsFile, { ...demo, examples: { ...examples, is_complete: true } })
  } catch (error) {
    if (!isStopping) process.stderr.write(`The console's examples are incomplete: ${String(error)}\n`)
  }
}

function portOf(name: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw new Error(`${name} is invalid: it must be a whole number from 0 to 65535.`)
  return port
}

/** Starts a process as production does. Its log goes to a file; errors are also printed here. */
function start(name: 'api' | 'operator-api' | 'worker' | 'indexer', more: Record<string, string> = {}): void {
  const child = spawn(process.execPath, ['--import', mainFile('telemetry'), mainFile(name)], {
    env: { ...settings, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Runs in its own process group, so that Ctrl-C signals it only once, through `stops`.
    detached: true,
  })
  const log = createWriteStream(`${folder}logs/${name}.log`, { flags: 'a' })
  child.stdout.pipe(log)
  child.stderr.pipe(log)
  child.stderr.pipe(process.stderr)
  child.on('exit', (code) => {
    if (code && !isStopping) throw new Error(`The ${name} process exited with code ${code}: see .dev/logs/${name}.log.`)
  })
  stops.push(() => stopProcess(child))
}

function mainFile(name: string): string {
  return fileURLToPath(new URL(`../main/${name}.ts`, import.meta.url))
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}

async function untilReady(url: string, name: string): Promise<void> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    await sleep(100)
  }
  throw new Error(`The ${name} process was not ready after 60 seconds: see .dev/logs/${name}.log.`)
}

function printInstructions({ tenants: [first], offering_id: offeringId, chain }: Demo): void {
  const credential = first?.credentials[0]
  const body = JSON.stringify({
    client_id: credential?.client_id,
    client_secret: credential?.client_secret,
    scopes: ['offering.read'],
  })
  const people = provider ? '; sign in as Ada Lovelace or Grace Hopper' : ''
  print(`
The API is at ${baseUrl}/api; its reference is at ${baseUrl}/docs.
The operator API is at ${operatorUrl}/operator; its reference is at ${operatorUrl}/docs.
The console is at ${consoleUrl}/console${people}.
The chain (anvil) is at ${chain.url}; the first demo tenant signs as ${chain.signer_address}.
Metrics are at http://${config.metricsHost}:${config.metricsPort}/metrics.
The demo tenants' credentials and operator tokens are in .dev/credentials.json.
Sent mail is in .dev/mail/, logs are in .dev/logs/.
${config.redisUrl ? '' : 'REDIS_URL is not set: rate limits are counted in memory.\n'}
Try it:

  TOKEN=$(curl -s ${baseUrl}/api/auth -H 'Content-Type: application/json' \\
    -d '${body}' \\
    | sed -E 's/.*"access_token":"([^"]+)".*/\\1/')
  curl -s ${baseUrl}/api/offerings/${offeringId} -H "Authorization: Bearer $TOKEN"

Press Ctrl-C to stop.`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
