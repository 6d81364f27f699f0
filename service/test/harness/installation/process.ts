import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { LogLines, type Served } from './log-lines.ts'

export type Main = 'api' | 'operator-api' | 'worker' | 'indexer'

export interface RunningProcess extends Served {
  readonly pid: number
  /** Sends SIGTERM and waits. Resolves with the exit code. */
  stop(): Promise<number | null>
  /** Sends SIGKILL and waits. */
  kill(): Promise<void>
  signal(name: NodeJS.Signals): void
  readonly ended: Promise<number | null>
}

const folder = fileURLToPath(new URL('../../../', import.meta.url))

// Tests start hundreds of processes, and compiling takes most of their startup time.
const compiled = join(tmpdir(), 'investor-token-compiled')

// Folder of the processes that `npm test` has bundled. Preloaded files change only `pg` and Node itself, outside the
// bundle.
const bundle = process.env['TEST_BUNDLE']

/** Starts a process as in production, with only these settings. */
export function startProcess(main: Main, settings: Record<string, string>, preload: string[] = []): RunningProcess {
  const imports = [mainFile('telemetry'), './test/harness/installation/test-process.ts', ...preload]
  return startNode([...imports.flatMap((file) => ['--import', file]), mainFile(main)], settings)
}

/** Starts a maintenance command. */
export function startMaintain(
  args: string[],
  settings: Record<string, string>,
  preload: string[] = [],
): RunningProcess {
  return startNode(
    [...preload.flatMap((file) => ['--import', file]), sourceFile('maintain/maintain'), ...args],
    settings,
  )
}

export interface MaintainResult {
  readonly code: number | null
  readonly output: string
  /** Objects that it printed with --json, one in a line. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read printed objects without types
  readonly printed: readonly any[]
}

/** Runs a maintenance command to its end. A text is split at spaces. */
export function runMaintain(
  command: string | readonly string[],
  settings: Record<string, string>,
  preload?: string[],
): Promise<MaintainResult> {
  const args = typeof command === 'string' ? command.split(' ') : [...command]
  return maintainResult(startMaintain(args, settings, preload))
}

/** Runs a maintenance command with --json, which must succeed. Returns what it printed. */
export async function runMaintainJson(
  command: string | readonly string[],
  settings: Record<string, string>,
): Promise<MaintainResult['printed'][number]> {
  const args = typeof command === 'string' ? command.split(' ') : command
  const { code, output, printed } = await runMaintain(['--json', ...args], settings)
  assert.equal(code, 0, output)
  return printed[0]
}

/** Waits until a maintenance command has ended. */
export async function maintainResult({ ended, output }: RunningProcess): Promise<MaintainResult> {
  const code = await ended
  const objects = output.filter((line) => line.startsWith('{'))
  return { code, output: output.join('\n'), printed: objects.map((line) => JSON.parse(line)) }
}

const sourceFile = (name: string) => (bundle ? `${bundle}/service/src/${name}.js` : `./src/${name}.ts`)
const mainFile = (name: Main | 'telemetry') => sourceFile(`main/${name}`)

export function startNode(args: string[], settings: Record<string, string>): RunningProcess {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: compiled, WORKER_PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const log = new LogLines(ended.then((code) => `the process ended with ${code}`))
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', (line) => log.add(line))
  return {
    pid: child.pid ?? 0,
    output: log.lines,
    ended,
    logged: (message, withinMs) => log.logged(message, withinMs),
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

/** Ends a child process and waits, unless it has ended already. */
export async function endChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

/** Returns true if the address responds with success. */
export function isServing(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}

// Each test process has a hundred ports and uses them in turn, so that no two processes pick the same one. All are
// below the ephemeral range, from which outgoing connections would take them.
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

/** Claims a hundred ports by listening at the first one until this process ends. */
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
