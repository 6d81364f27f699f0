// Preloaded into a worker or a command by a test: kills the process at the crash point that KILL_AT names, without any cleanup.
import { subscribe } from 'node:diagnostics_channel'

for (const channel of ['settlement', 'tenant-move'])
  subscribe(channel, (point) => {
    if (point === process.env['KILL_AT']) process.kill(process.pid, 'SIGKILL')
  })
