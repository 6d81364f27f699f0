import { readFileSync } from 'node:fs'

const ticksPerSecond = 100

/** CPU seconds, file by file, of this process and of its children that have ended. */
export class CpuTime {
  #last = cpuSeconds()

  /** Returns the seconds since the last call. */
  secondsOfNext(): string {
    const now = cpuSeconds()
    const seconds = now - this.#last
    this.#last = now
    return seconds.toFixed(1)
  }
}

function cpuSeconds(): number {
  try {
    // The times are fields 14 to 17, after the name of the process, which can contain spaces.
    const stat = readFileSync('/proc/self/stat', 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
}
