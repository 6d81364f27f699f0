import { uuidOf } from './orders.ts'

/** A tenant after five years of business, with the number of its rows. */
export interface ConsoleBook {
  readonly tenantId: string
  readonly offeringId: string
  readonly orders: number
  readonly accounts: number
  readonly unassigned: number
  /** Time when its first order was created; `orderEveryMs` is the time from one order to the next. */
  readonly startedAtMs: number
  readonly orderEveryMs: number
}

/** Returns an id like those of the service, which begin with their time in milliseconds; here the position follows. */
export function rowIdAtPosition(ms: number, position: number): string {
  return uuidOf(`${ms.toString(16).padStart(12, '0')}70008000${position.toString(16).padStart(12, '0')}`)
}

/** Returns the same in SQL, for expressions of the milliseconds and the position. */
export function rowIdExpression(ms: string, position: string): string {
  return `(lpad(to_hex(${ms}), 12, '0') || '70008000' || lpad(to_hex(${position}), 12, '0'))::uuid`
}
