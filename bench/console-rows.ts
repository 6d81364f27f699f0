/** A tenant after five years of business, and how many rows it has. */
export interface ConsoleBook {
  readonly tenantId: string
  readonly offeringId: string
  readonly orders: number
  readonly accounts: number
  readonly unassigned: number
  /** When its first order was created, and the time from one order to the next. */
  readonly startedAtMs: number
  readonly orderEveryMs: number
}

/** An id of the service begins with its time in milliseconds; here its position follows. */
export function rowIdAtPosition(ms: number, position: number): string {
  const hex = `${ms.toString(16).padStart(12, '0')}70008000${position.toString(16).padStart(12, '0')}`
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The same in SQL, for expressions of the milliseconds and the position. */
export function rowIdExpression(ms: string, position: string): string {
  return `(lpad(to_hex(${ms}), 12, '0') || '70008000' || lpad(to_hex(${position}), 12, '0'))::uuid`
}
