// One command for a whole local installation: database, mail, demo tenants, API and worker.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import closeWithGrace from 'close-with-grace'
import { developmentSettings } from '../base/config.ts'
import { createLogger } from '../base/log.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabases } from '../db/pools.ts'
import { type Demo, ensureDemo } from './dev-demo.ts'
import { openDevMailbox } from './dev-mailbox.ts'
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
const chosen = { PORT: '8080', METRICS_PORT: '9464', ...given }
await checkSettings()
if (isFresh) await rm(folder, { recursive: true, force: true })
await mkdir(`${folder}logs`, { recursive: true })

say(given.DATABASE_URL ? 'Using the database of DATABASE_URL.' : 'Starting PostgreSQL …')
const database = given.DATABASE_URL ? undefined : await LocalPostgres.open(`${folder}postgres`)
if (database) stops.push(() => database.stop())
const mailbox = await openDevMailbox(`${folder}mail`)
stops.push(() => mailbox.close())
const settings = { DATABASE_URL: database?.url, SMTP_URL: mailbox.url, ...chosen }
const config = readConfigOrExit(settings)

await migrate(config, (name) => say(`Migrated ${name}.`))
const databases = openDatabases(config, createLogger('silent', 'dev'))
const baseUrl = `http://${config.host}:${config.port}`
const demo = await ensureDemo(databases, config, { file: `${folder}credentials.json`, baseUrl })
await databases.end()

start('api')
start('worker', { METRICS_PORT: String(config.metricsPort + 1) })
await answers(`${baseUrl}/readyz`)
sayHow(demo)

/** Before anything is started, so that a wrong setting or a taken port leaves nothing running. */
async function checkSettings(): Promise<void> {
  const { environment, host, port, metricsPort } = readConfigOrExit({
    DATABASE_URL: 'postgres://to-be-started',
    ...chosen,
  })
  if (environment !== 'development') throw new Error('npm run dev is for development: unset ENVIRONMENT.')
  for (const [name, taken] of [
    ['PORT', port],
    ['METRICS_PORT', metricsPort],
  ] as const)
    if (!(await isFree(host, taken))) throw new Error(`Port ${taken} is in use: stop what uses it, or set ${name}.`)
}

/** The same way that production starts it, with its log in a file: what goes wrong is said here too. */
function start(name: 'api' | 'worker', more: Record<string, string> = {}): void {
  const main = (file: string) => fileURLToPath(new URL(`./${file}.ts`, import.meta.url))
  const child = spawn(process.execPath, ['--import', main('telemetry'), main(name)], {
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

async function answers(url: string): Promise<void> {
  const endsAt = Date.now() + 20_000
  while (Date.now() < endsAt) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The API did not become ready in 20 seconds: see .dev/logs/api.log.')
}

function sayHow({ tenants: [first], offering_id: offeringId }: Demo): void {
  const credential = first?.credentials[0]
  const body = JSON.stringify({
    client_id: credential?.client_id,
    client_secret: credential?.client_secret,
    scopes: ['offering.read'],
  })
  say(`
The API answers at ${baseUrl}/api; its reference is at ${baseUrl}/docs.
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
