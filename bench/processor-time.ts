import { globSync, readFileSync } from 'node:fs'
import type { MeasuredProcesses } from './installation.ts'

/** Seconds of processor time since the start, for each of the processes; PostgreSQL's with all its children. */
export type ProcessorTime = Record<keyof MeasuredProcesses, number>

/** Reads /proc, since Node tells only its own time. */
export function processorTime({ api, postgres, redis }: MeasuredProcesses): ProcessorTime {
  const children = globSync('/proc/[0-9]*/stat')
    .map((file) => readStat(file))
    .filter((stat) => stat !== undefined)
    .filter(({ parent }) => parent === postgres)
  return {
    api: secondsOf(api),
    // What has ended is counted with the server itself, which waited for it.
    postgres: secondsOf(postgres) + children.reduce((sum, { seconds }) => sum + seconds, 0),
    redis: secondsOf(redis),
  }
}

/** Microseconds for each request between two readings. */
export function perRequest(before: ProcessorTime, after: ProcessorTime, requests: number): ProcessorTime {
  const microseconds = (name: keyof ProcessorTime) => ((after[name] - before[name]) * 1e6) / Math.max(1, requests)
  return { api: microseconds('api'), postgres: microseconds('postgres'), redis: microseconds('redis') }
}

// What Linux counts processor time in, on every platform that Node runs on.
const ticksPerSecond = 100

function secondsOf(pid: number): number {
  const stat = readStat(`/proc/${pid}/stat`)
  if (!stat) throw new Error(`process ${pid} has ended in the middle of a measurement`)
  return stat.seconds
}

function readStat(file: string): { parent: number; seconds: number } | undefined {
  try {
    const text = readFileSync(file, 'utf8')
    // After the name, which stands in brackets and may hold anything: state, parent, …; see proc(5).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15).map(Number)
    return { parent: Number(fields[1]), seconds: (user + system + childrenUser + childrenSystem) / ticksPerSecond }
  } catch {
    // It has ended since it was listed.
    return undefined
  }
}
