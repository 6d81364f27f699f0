// Preloaded into a worker by a test: kills the process at the crash point that KILL_AT names, without any cleanup.
import { subscribe } from 'node:diagnostics_channel'

subscribe('settlement', (point) => {
  if (point === process.env['KILL_AT']) process.kill(process.pid, 'SIGKILL')
})
