import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, openSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const consoleFolder = new URL('../../../console/', import.meta.url)

/**
 * Builds the console if its sources are newer than the last build. Returns undefined if there is nothing to do or no
 * console, as in an installation of the service alone.
 */
export function buildConsole(logFile: string): { stop: () => Promise<void> } | undefined {
  if (isConsoleBuilt()) return undefined
  const log = openSync(logFile, 'w')
  const child = spawn('sh', ['-c', '"$0" "$1" build --logLevel warn && "$0" compress.ts', process.execPath, vite()], {
    cwd: consoleFolder,
    stdio: ['ignore', log, log],
    // Runs in its own process group, so that all of its processes can be ended.
    detached: true,
  })
  child.on('exit', (code) => {
    if (code) process.stderr.write(`The console was not built: see ${logFile}.\n`)
  })
  return { stop: () => stopGroup(child) }
}

/** Returns true if there is nothing to build. */
export function isConsoleBuilt(): boolean {
  const changedAt = newest(globSync('{src/**/*,index.html,package.json,*.ts}', { cwd: consoleFolder }))
  return changedAt === undefined || changedAt <= (changeOf('dist/index.html') ?? 0)
}

function vite(): string {
  const packageFile = createRequire(new URL('package.json', consoleFolder)).resolve('vite/package.json')
  return join(dirname(packageFile), 'bin/vite.js')
}

async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  process.kill(-child.pid, 'SIGTERM')
  await exited
}

function newest(files: readonly string[]): number | undefined {
  const times = files.map((file) => changeOf(file) ?? 0)
  return times.length === 0 ? undefined : Math.max(...times)
}

function changeOf(file: string): number | undefined {
  return statSync(new URL(file, consoleFolder), { throwIfNoEntry: false })?.mtimeMs
}
