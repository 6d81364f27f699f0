// A test preloads this into a worker or a command. It kills the process at the crash point in KILL_AT, without any
// cleanup. At the point in STOP_AT, it stops the process until SIGCONT.
import { subscribe } from 'node:diagnostics_channel'

for (const channel of ['settlement', 'tenant-move'])
  subscribe(channel, (point) => {
    if (point === process.env['KILL_AT']) process.kill(process.pid, 'SIGKILL')
    if (point === process.env['STOP_AT']) process.kill(process.pid, 'SIGSTOP')
  })
