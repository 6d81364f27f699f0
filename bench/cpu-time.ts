import { globSync, readFileSync } from 'node:fs'
import type { MeasuredProcesses } from './installation.ts'

/** Nanoseconds of CPU time so far, per process; PostgreSQL's includes all its backends. */
export type CpuTime = Record<keyof MeasuredProcesses, number>

/**
 * Reads the scheduler's statistics, which count nanoseconds: /proc/PID/stat counts hundredths of a second, too coarse
 * for a batch of a few hundred requests. Threads and backends must live as long as the measurement.
 */
export function cpuTime({ api, postgres, redis }: MeasuredProcesses): CpuTime {
  const backends = globSync(`/proc/${postgres}/task/*/children`).flatMap((file) =>
    readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  )
  return {
    api: nanosecondsOf(api),
    postgres: [postgres, ...backends].reduce((sum, pid) => sum + nanosecondsOf(pid), 0),
    redis: nanosecondsOf(redis),
  }
}

/** Returns the microseconds per request between two readings. */
export function cpuPerRequest(before: CpuTime, after: CpuTime, requests: number): CpuTime {
  const microseconds = (name: keyof CpuTime) => (after[name] - before[name]) / 1_000 / Math.max(1, requests)
  return { api: microseconds('api'), postgres: microseconds('postgres'), redis: microseconds('redis') }
}

/** Returns the nanoseconds of CPU time that one process has used so far. */
export function nanosecondsOf(pid: number): number {
  return globSync(`/proc/${pid}/task/*/schedstat`).reduce((sum, file) => sum + readNanoseconds(file), 0)
}

function readNanoseconds(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0])
  } catch {
    // The thread has ended since it was listed.
    return 0
  }
}

/** Reads coarser statistics, which include processes that have ended: backends may come and go meanwhile. */
export function cpuTimeWithEnded({ api, postgres, redis }: MeasuredProcesses): CpuTime {
  const of = (pid: number) => {
    const stat = readStat(`/proc/${pid}/stat`)
    if (!stat) throw new Error(`process ${pid} ended during the measurement`)
    return stat.nanoseconds
  }
  const backends = globSync('/proc/[0-9]*/stat').map(readStat)
  const running = backends.reduce((sum, stat) => sum + (stat?.parent === postgres ? stat.nanoseconds : 0), 0)
  // The server's own figure includes backends that have ended.
  return { api: of(api), postgres: of(postgres) + running, redis: of(redis) }
}

// Linux counts hundredths of a second on every platform that Node supports.
const nanosecondsPerTick = 1e7

function readStat(file: string): { parent: number; nanoseconds: number } | undefined {
  try {
    const text = readFileSync(file, 'utf8')
    // The fields after the name, which is in brackets and may contain anything: state, parent, …; see proc(5).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15).map(Number)
    return {
      parent: Number(fields[1]),
      nanoseconds: (user + system + childrenUser + childrenSystem) * nanosecondsPerTick,
    }
  } catch {
    // The process has ended since it was listed.
    return undefined
  }
}
