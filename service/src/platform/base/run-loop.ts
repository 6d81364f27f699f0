import { observedGauge } from './metric.ts'

/** Work that repeats until it is stopped. Two runs never overlap. */
export interface RunningLoop {
  /** Resolves when the current run has ended; no further run starts. */
  stop(): Promise<void>
}

/** A loop whose pause can be cut short. */
interface LoopWithWake extends RunningLoop {
  /** Starts the next run now. Does nothing during a run. */
  wake(): void
}

/** The loops of this process, with the last sign of life of each current run. */
const running = new Set<{ readonly name: string; beatAt: number | undefined }>()

/**
 * Every statement and call has a timeout of seconds, so even a failing database or node ends a run. A run without a
 * sign of life for this long waits for something that will never happen.
 */
const hungAfterMs = 600_000

/**
 * Repeats `work` with a pause of `pauseMs` after each run, or of the milliseconds that it returns. `work` handles its
 * own errors and must not throw. A run that may take minutes calls `beat` now and then: `/livez` fails while a run
 * gives no sign of life.
 */
export function runLoop(
  name: string,
  pauseMs: number,
  work: (beat: () => void) => Promise<number | undefined> | Promise<void>,
): LoopWithWake {
  const loop: { readonly name: string; beatAt: number | undefined } = { name, beatAt: undefined }
  running.add(loop)
  let isStopped = false
  let wake = () => {}
  const beat = () => {
    loop.beatAt = performance.now()
  }
  const run = async () => {
    while (!isStopped) {
      beat()
      const ownPauseMs = await work(beat)
      loop.beatAt = undefined
      if (isStopped) return
      const { promise: pause, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, ownPauseMs ?? pauseMs).unref()
      wake = resolve
      await pause
      wake = () => {}
      clearTimeout(timer)
    }
  }
  const ended = run().finally(() => running.delete(loop))
  return {
    wake: () => wake(),
    stop: async () => {
      isStopped = true
      wake()
      await ended
    },
  }
}

/** Returns the loops whose current run has given no sign of life for too long. Only a restart of the process helps. */
export function hungLoops(afterMs = hungAfterMs): string[] {
  const now = performance.now()
  return [...running].filter(({ beatAt }) => beatAt !== undefined && now - beatAt > afterMs).map(({ name }) => name)
}

observedGauge('loops_hung', {
  description: 'Loops of the process whose current run gives no sign of life; `/livez` fails if there are any',
  read: (observe) => observe(hungLoops().length, {}),
})
