import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const
const waitMsMax = 3_000
const pollMs = 50

/**
 * On a signal to end: reports the progress of the run, ends all processes that it has started, and then ends by the
 * signal. The report comes first, because the sender of the signal may not wait long.
 */
export function onInterruption(report: (signal: NodeJS.Signals) => void): void {
  for (const signal of signals)
    process.once(signal, () => {
      report(signal)
      void endDescendants().finally(() => process.kill(process.pid, signal))
    })
}

/** Ends them all at once: a server whose test has ended would never be found again. */
async function endDescendants(): Promise<void> {
  const pids = descendantsOf(process.pid)
  for (const pid of pids) send(pid, 'SIGTERM')
  const endsAt = performance.now() + waitMsMax
  while (pids.some((pid) => send(pid, 0)) && performance.now() < endsAt) await sleep(pollMs)
  for (const pid of pids) send(pid, 'SIGKILL')
}

/** Finds processes in /proc. Where that does not exist, only those end to which the terminal sends the signal. */
function descendantsOf(pid: number): number[] {
  const childrenOf = Map.groupBy(readProcesses(), ({ parent }) => parent)
  const found: number[] = []
  const visit = (parent: number) => {
    for (const child of childrenOf.get(parent) ?? []) {
      found.push(child.pid)
      visit(child.pid)
    }
  }
  visit(pid)
  return found
}

function readProcesses(): { pid: number; parent: number }[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readProcess(name))
  } catch {
    return []
  }
}

function readProcess(name: string): { pid: number; parent: number }[] {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
    // The parent comes after the name of the program, which can contain spaces, and its state.
    const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
    return [{ pid: Number(name), parent: Number(parent) }]
  } catch {
    // It has ended in the meantime.
    return []
  }
}

/** Sends a signal. Returns true if the process exists. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
