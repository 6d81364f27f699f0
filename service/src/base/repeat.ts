/** Runs work again and again until it is stopped, with a pause after each run, so that two runs never overlap. */
export interface Repetition {
  /** Resolves once the run that is under way has ended; no other begins. */
  stop(): Promise<void>
}

/** `work` must not throw: it is the one who knows what a failure means. */
export function repeat(pauseMs: number, work: () => Promise<void>): Repetition {
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
