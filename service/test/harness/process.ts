import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface RunningProcess {
  readonly pid: number
  /** Every line of output so far. */
  readonly output: readonly string[]
  /** The first log line with this message, already logged or awaited. */
  logged(message: string, withinMs?: number): Promise<Record<string, unknown>>
  /** Sends SIGTERM and waits. Resolves with the exit code. */
  stop(): Promise<number | null>
  /** Sends SIGKILL and waits. */
  kill(): Promise<void>
  signal(name: NodeJS.Signals): void
  readonly ended: Promise<number | null>
}

const folder = fileURLToPath(new URL('../../', import.meta.url))

// Tests start hundreds of processes, and compiling takes most of their startup time.
const compiled = join(tmpdir(), 'investor-token-compiled')

// Where `npm test` has bundled the processes. What preloaded files change is outside of the bundle: `pg` and Node itself.
const bundle = process.env['TEST_BUNDLE']

/** Starts a process as in production, with these settings only. */
export function startProcess(
  main: 'api' | 'operator-api' | 'worker' | 'indexer',
  settings: Record<string, string>,
  preload: string[] = [],
): RunningProcess {
  const imports = [mainFile('telemetry'), './test/harness/test-process.ts', ...preload]
  return startNode([...imports.flatMap((file) => ['--import', file]), mainFile(main)], settings)
}

/** Starts a maintenance command. */
export function startMaintain(
  args: string[],
  settings: Record<string, string>,
  preload: string[] = [],
): RunningProcess {
  return startNode([...preload.flatMap((file) => ['--import', file]), mainFile('maintain'), ...args], settings)
}

const mainFile = (name: string) => (bundle ? `${bundle}/service/src/main/${name}.js` : `./src/main/${name}.ts`)

export function startNode(args: string[], settings: Record<string, string>): RunningProcess {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: compiled, WORKER_PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  const waiting = new Set<(line: string) => void>()
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on('line', (line) => {
      output.push(line)
      for (const listener of waiting) listener(line)
    })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    pid: child.pid ?? 0,
    output,
    ended,
    logged: (message, withinMs = 180_000) =>
      new Promise((resolve, reject) => {
        const look = (line: string) => {
          const entry = parseLine(line)
          if (entry?.['msg'] !== message) return
          finish()
          resolve(entry)
        }
        const fail = (why: string) => {
          finish()
          reject(new Error(`${why} before logging "${message}":\n${output.slice(-20).join('\n')}`))
        }
        const timer = setTimeout(() => fail(`${withinMs} ms passed`), withinMs)
        const finish = () => {
          clearTimeout(timer)
          waiting.delete(look)
        }
        waiting.add(look)
        void ended.then((code) => fail(`the process ended with ${code}`))
        for (const line of output) look(line)
      }),
    stop: async () => {
      child.kill('SIGTERM')
      return ended
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    signal: (name) => void child.kill(name),
  }
}

/** What the last probe of /readyz logged: the response has no details. A change may arrive after the response. */
export function lastReadiness({ output }: RunningProcess): { readiness: string; checks: Record<string, string> } {
  const line = output.findLast((one) => one.includes('"msg":"readiness changed"'))
  return (parseLine(line ?? '') ?? { readiness: 'unknown', checks: {} }) as ReturnType<typeof lastReadiness>
}

// Each test process has a hundred ports and uses them in turn, so that no two processes pick the same one; all are below
// the ephemeral range, from which outgoing connections would take them.
const portsOfProcess = 100
const ranges = 120
let portsGiven = 0
let firstPort: Promise<number> | undefined

export async function freePort(): Promise<number> {
  firstPort ??= claimPorts()
  const first = await firstPort
  for (;;) {
    const port = first + 1 + (portsGiven % (portsOfProcess - 1))
    portsGiven += 1
    const server = await listenAt(port)
    if (!server) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}

/** Listens at the first of a hundred ports until this process ends, so that they belong to no other. */
async function claimPorts(): Promise<number> {
  for (let range = process.pid % ranges; ; range = (range + 1) % ranges) {
    const first = 20_000 + range * portsOfProcess
    const server = await listenAt(first)
    if (!server) continue
    server.unref()
    return first
  }
}

async function listenAt(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1')
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  )
}

function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return undefined
  }
}
