// Preloaded into a worker by a test: the process ends at the named point, in the middle of what it was doing, as if
// somebody had pulled its plug.
import { subscribe } from 'node:diagnostics_channel'

subscribe('settlement', (point) => {
  if (point === process.env['KILL_AT']) process.kill(process.pid, 'SIGKILL')
})
