// Preloaded into a worker or a command by a test: kills the process at the crash point that KILL_AT names, without any cleanup.
// At the one that STOP_AT names, it stops until SIGCONT.
import { subscribe } from 'node:diagnostics_channel'

for (const channel of ['settlement', 'tenant-move'])
  subscribe(channel, (point) => {
    if (point === process.env['KILL_AT']) process.kill(process.pid, 'SIGKILL')
    if (point === process.env['STOP_AT']) process.kill(process.pid, 'SIGSTOP')
  })
