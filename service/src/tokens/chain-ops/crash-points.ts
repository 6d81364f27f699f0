import { channel } from 'node:diagnostics_channel'

/** Moments at which tests kill the process (KILL_AT in test/harness/faults/kill-at.ts). */
export type CrashPoint = 'estimated' | 'reserving' | 'reserved' | 'stored' | 'broadcast' | 'mined' | 'planned'

const points = channel('settlement')

/** Does nothing unless a test subscribes. */
export function passCrashPoint(point: CrashPoint): void {
  points.publish(point)
}
