import { channel } from 'node:diagnostics_channel'

/** Moments at which tests kill the command (KILL_AT in test/harness/faults/kill-at.ts). */
export const movePoints = [
  'started',
  'published',
  'copied',
  'verified',
  'way back prepared',
  'switching',
  'left',
  'arrived',
  'switched',
  'stream dropped',
  'way back open',
  'jobs deleted',
  'moved',
] as const

const points = channel('tenant-move')

/** Does nothing unless a test subscribes. */
export function passMovePoint(point: (typeof movePoints)[number]): void {
  points.publish(point)
}
