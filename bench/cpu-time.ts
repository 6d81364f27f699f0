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
  const microseconds = (name: keyof CpuTime) => (after[name] - before[name]) / 1_000 / requests
  return { api: microseconds('api'), postgres: microseconds('postgres'), redis: microseconds('redis') }
}

/** Returns the nanoseconds of CPU time of one process so far. */
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
