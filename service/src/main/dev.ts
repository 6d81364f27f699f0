// One command for a whole local installation: database, mail, a chain, demo tenants and all processes.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import closeWithGrace from 'close-with-grace'
import { developmentSettings } from '../platform/base/config.ts'
import { createLogger } from '../platform/base/log.ts'
import { migrate } from '../platform/db/migrate.ts'
import { openDatabases } from '../platform/db/pools.ts'
import { type Demo, ensureDemo } from './dev-demo.ts'
import { openDevMailbox } from './dev-mailbox.ts'
import { giveOn, LocalChain } from './local-chain.ts'
import { LocalPostgres } from './local-postgres.ts'
import { readConfigOrExit } from './start.ts'

const folder = fileURLToPath(new URL('../../../.dev/', import.meta.url))
const isFresh = process.argv.includes('--fresh')
const given = developmentSettings()

// What is running, in the order it was started; it ends the other way round, whatever ends it.
const stops: (() => Promise<void>)[] = []
let isStopping = false
closeWithGrace({ delay: 20_000, logger: false }, async ({ err }) => {
  isStopping = true
  if (err) process.stderr.write(`${err.message}\n`)
  for (const stop of stops.toReversed()) await stop()
  if (!err) say('Stopped. The data stays in .dev/ for the next start.')
})

if (isFresh && given.DATABASE_URL)
  throw new Error('--fresh starts the built-in database anew; with DATABASE_URL set, drop that one yourself.')
const chosen = { PORT: '8080', OPERATOR_PORT: '8081', METRICS_PORT: '9464', ...given }
const anvilPort = portOf('ANVIL_PORT', given.ANVIL_PORT || '8545')
const givenChains = await checkSettings()
if (isFresh) await rm(folder, { recursive: true, force: true })
await mkdir(`${folder}logs`, { recursive: true })

say(given.DATABASE_URL ? 'Using the database of DATABASE_URL.' : 'Starting PostgreSQL …')
const database = given.DATABASE_URL ? undefined : await LocalPostgres.open(`${folder}postgres`)
if (database) stops.push(() => database.stop())
const mailbox = await openDevMailbox(`${folder}mail`)
stops.push(() => mailbox.close())
const CHAINS = givenChains.has('anvil') ? given.CHAINS : `${given.CHAINS ?? ''} anvil=${await startChain()}`
const settings = { DATABASE_URL: database?.url, SMTP_URL: mailbox.url, ...chosen, CHAINS }
const config = readConfigOrExit(settings)
const chainUrl = config.chains.get('anvil') ?? ''

await migrate(config, (name) => say(`Migrated ${name}.`))
const databases = openDatabases(config, createLogger('silent', 'dev'))
const baseUrl = `http://${config.host}:${config.port}`
const operatorUrl = `http://${config.operatorHost}:${config.operatorPort}`
const urls = { baseUrl, operatorUrl, chainUrl }
const demo = await ensureDemo(databases, config, `${folder}credentials.json`, urls)
await giveOn(chainUrl, demo.chain.signer_address, '1000')
await databases.end()

start('api')
const metricsPortOf = (place: number) => String(config.metricsPort + place)
start('worker', { METRICS_PORT: metricsPortOf(1) })
start('operator-api', { METRICS_PORT: metricsPortOf(2) })
start('indexer', { INDEXER_PORT: '0', METRICS_PORT: metricsPortOf(3) })
await answers(`${baseUrl}/readyz`, 'api')
await answers(`${operatorUrl}/readyz`, 'operator-api')
sayHow(demo)

/**
 * Before anything is started, so that a wrong setting or a taken port leaves nothing running. Tells the chains that
 * were given.
 */
async function checkSettings(): Promise<ReadonlyMap<string, string>> {
  const { environment, host, port, operatorHost, operatorPort, metricsPort, chains } = readConfigOrExit({
    DATABASE_URL: 'postgres://to-be-started',
    ...chosen,
  })
  if (environment !== 'development') throw new Error('npm run dev is for development: unset ENVIRONMENT.')
  for (const [name, address, taken] of [
    ['PORT', host, port],
    ['OPERATOR_PORT', operatorHost, operatorPort],
    // One for each process, one behind the other.
    ...[0, 1, 2, 3].map((place) => ['METRICS_PORT', host, metricsPort + place] as const),
    ...(chains.has('anvil') ? [] : [['ANVIL_PORT', '127.0.0.1', anvilPort] as const]),
  ] as const)
    if (!(await isFree(address, taken))) throw new Error(`Port ${taken} is in use: stop what uses it, or set ${name}.`)
  return chains
}

/** It must live as long as the database: the numbers of transactions are in both. */
async function startChain(): Promise<string> {
  const chain = await LocalChain.open({ port: anvilPort, blockSeconds: 1, stateFile: `${folder}chain.json` })
  stops.push(() => chain.stop())
  return chain.url
}

function portOf(name: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw new Error(`${name} cannot be used: it must be a whole number from 0 to 65535.`)
  return port
}

/** The same way that production starts it, with its log in a file: what goes wrong is said here too. */
function start(name: 'api' | 'operator-api' | 'worker' | 'indexer', more: Record<string, string> = {}): void {
  const child = spawn(process.execPath, ['--import', mainFile('telemetry'), mainFile(name)], {
    env: { ...settings, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Out of the terminal's process group: Ctrl-C reaches it once, from us.
    detached: true,
  })
  const log = createWriteStream(`${folder}logs/${name}.log`, { flags: 'a' })
  child.stdout.pipe(log)
  child.stderr.pipe(log)
  child.stderr.pipe(process.stderr)
  child.on('exit', (code) => {
    if (code && !isStopping) throw new Error(`The ${name} ended with code ${code}: see .dev/logs/${name}.log.`)
  })
  stops.push(() => end(child))
}

function mainFile(name: string): string {
  return fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
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

async function answers(url: string, name: string): Promise<void> {
  const endsAt = Date.now() + 20_000
  while (Date.now() < endsAt) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`The ${name} did not become ready in 20 seconds: see .dev/logs/${name}.log.`)
}

function sayHow({ tenants: [first], offering_id: offeringId, chain }: Demo): void {
  const credential = first?.credentials[0]
  const body = JSON.stringify({
    client_id: credential?.client_id,
    client_secret: credential?.client_secret,
    scopes: ['offering.read'],
  })
  say(`
The API answers at ${baseUrl}/api; its reference is at ${baseUrl}/docs.
The operator API answers at ${operatorUrl}/operator; its reference is at ${operatorUrl}/docs. A demo
admin's personal_token for it is in .dev/credentials.json.
The chain answers at ${chain.url}; ${chain.signer_address} signs there for the first demo
tenant and has gas money.
Metrics are at http://${config.host}:${config.metricsPort}/metrics.
Credentials of the demo tenants are in .dev/credentials.json, mails in .dev/mail/, logs in .dev/logs/.
${config.redisUrl ? '' : 'Without REDIS_URL each process counts requests alone, which is enough for one.\n'}
Copy and paste:

  TOKEN=$(curl -s ${baseUrl}/api/auth -H 'Content-Type: application/json' \\
    -d '${body}' \\
    | sed -E 's/.*"access_token":"([^"]+)".*/\\1/')
  curl -s ${baseUrl}/api/offerings/${offeringId} -H "Authorization: Bearer $TOKEN"

Ctrl-C stops everything.`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
