import { channel } from 'node:diagnostics_channel'

/** The moments between which a process may die. Tests listen, and let it. */
export type CrashPoint = 'estimated' | 'reserving' | 'reserved' | 'stored' | 'broadcast' | 'mined' | 'planned'

const points = channel('settlement')

export function passCrashPoint(point: CrashPoint): void {
  points.publish(point)
}
