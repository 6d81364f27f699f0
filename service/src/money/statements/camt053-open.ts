import type { Balance } from './camt053-fields.ts'
import type { ElementScope } from './camt053-scope.ts'

/** A statement that is being read: what is known of it so far. */
export interface OpenStatement {
  readonly fields: ElementScope
  readonly balances: Balance[]
  /** What moved so far. */
  sum: bigint
  entry: OpenEntry | undefined
  isTold: boolean
}

/** An entry that is being read, and how far its transactions have come. */
export interface OpenEntry {
  readonly fields: ElementScope
  readonly line: number
  held: ElementScope | undefined
  count: number
  sum: bigint
  lastReference: string | undefined
  /** How often the bank has given the same reference in a row to transactions of one batch. */
  repeats: number
}
