import { readdirSync } from 'node:fs'
import { observedCounter, observedGauge } from '../platform/base/metric.ts'
import type { ProcessIdentity } from './process-identity.ts'

/** Reports the usual Prometheus metrics about the process. */
export function observeProcess({ name, version }: ProcessIdentity, commit = 'unknown'): void {
  observedGauge('build_info', {
    description: 'Always 1; the labels say which release of which process this is',
    labels: ['process', 'version', 'commit', 'node'],
    read: (observe) => observe(1, { process: name, version, commit, node: process.version }),
  })
  observedGauge('process_start_time_seconds', {
    description: 'When the process started, in seconds since 1970',
    read: (observe) => observe(Math.round(performance.timeOrigin / 1000), {}),
  })
  observedGauge('process_resident_memory_bytes', {
    description: 'Memory of the process',
    read: (observe) => observe(process.memoryUsage.rss(), {}),
  })
  observedCounter('process_cpu_seconds', {
    description: 'CPU time of the process, of user and system',
    read: () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
  })
  observedGauge('process_open_fds', {
    description: 'Open files and sockets of the process; only on Linux',
    read: (observe) => {
      const open = openFiles()
      if (open !== undefined) observe(open, {})
    },
  })
}

function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return undefined
  }
}
