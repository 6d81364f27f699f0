// Preloaded into an API process by a test: the delay of the event loop is never measured, as in the first second of a
// process that took longer than that to start.
import perfHooks from 'node:perf_hooks'

perfHooks.monitorEventLoopDelay = () =>
  ({ mean: Number.NaN, enable: () => true, disable: () => true, reset: () => {} }) as never
