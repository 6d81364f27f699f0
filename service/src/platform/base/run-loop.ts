/** Work that repeats until it is stopped. Two runs never overlap. */
export interface RunningLoop {
  /** Resolves when the current run has ended; no further run starts. */
  stop(): Promise<void>
}

/** Repeats `work` with a pause of `pauseMs` after each run. `work` handles its own errors and must not throw. */
export function runLoop(pauseMs: number, work: () => Promise<void>): RunningLoop {
  let isStopped = false
  let wake = () => {}
  const run = async () => {
    while (!isStopped) {
      await work()
      if (isStopped) return
      const { promise: pause, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, pauseMs).unref()
      wake = resolve
      await pause
      clearTimeout(timer)
    }
  }
  const running = run()
  return {
    stop: async () => {
      isStopped = true
      wake()
      await running
    },
  }
}
