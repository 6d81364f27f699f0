import { channel } from 'node:diagnostics_channel'

/** The moments between which a process may die. Tests listen, and let it. */
export type Point = 'estimated' | 'reserving' | 'reserved' | 'stored' | 'broadcast' | 'mined' | 'planned'

const points = channel('settlement')

export function pass(point: Point): void {
  points.publish(point)
}
