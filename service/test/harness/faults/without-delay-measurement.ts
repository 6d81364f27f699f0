// A test preloads this into an API process. The event-loop delay is then never measured, as in the first second of a
// process that starts slowly.
import perfHooks from 'node:perf_hooks'

perfHooks.monitorEventLoopDelay = () =>
  ({ mean: Number.NaN, enable: () => true, disable: () => true, reset: () => {} }) as never
