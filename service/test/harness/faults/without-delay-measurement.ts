// A test preloads this into an API process: the event-loop delay is never measured, as in the first second of a process
// that starts slowly.
import perfHooks from 'node:perf_hooks'

perfHooks.monitorEventLoopDelay = () =>
  ({ mean: Number.NaN, enable: () => true, disable: () => true, reset: () => {} }) as never
