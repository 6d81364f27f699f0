import { globSync, readFileSync } from 'node:fs'
import type { MeasuredProcesses } from './installation.ts'

/** Seconds of CPU time since the start, per process; PostgreSQL's includes all its backends. */
export type ProcessorTime = Record<keyof MeasuredProcesses, number>

/** Reads /proc, because Node reports only its own time. */
export function processorTime({ api, postgres, redis }: MeasuredProcesses): ProcessorTime {
  const children = globSync('/proc/[0-9]*/stat')
    .map((file) => readStat(file))
    .filter((stat) => stat !== undefined)
    .filter(({ parent }) => parent === postgres)
  return {
    api: secondsOf(api),
    // The server's own figure includes backends that have ended.
    postgres: secondsOf(postgres) + children.reduce((sum, { seconds }) => sum + seconds, 0),
    redis: secondsOf(redis),
  }
}

/** Returns the microseconds per request between two readings. */
export function perRequest(before: ProcessorTime, after: ProcessorTime, requests: number): ProcessorTime {
  const microseconds = (name: keyof ProcessorTime) => ((after[name] - before[name]) * 1e6) / Math.max(1, requests)
  return { api: microseconds('api'), postgres: microseconds('postgres'), redis: microseconds('redis') }
}

// Linux counts CPU time in this unit on every platform that Node supports.
const ticksPerSecond = 100

function secondsOf(pid: number): number {
  const stat = readStat(`/proc/${pid}/stat`)
  if (!stat) throw new Error(`process ${pid} ended during the measurement`)
  return stat.seconds
}

function readStat(file: string): { parent: number; seconds: number } | undefined {
  try {
    const text = readFileSync(file, 'utf8')
    // The fields after the name, which is in brackets and may contain anything: state, parent, …; see proc(5).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15).map(Number)
    return { parent: Number(fields[1]), seconds: (user + system + childrenUser + childrenSystem) / ticksPerSecond }
  } catch {
    // The process has ended since it was listed.
    return undefined
  }
}
