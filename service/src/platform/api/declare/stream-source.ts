import type { Transaction } from '../../db/transaction.ts'

/** A message for everybody who listens to a tenant. */
export interface StreamMessage {
  /** Grows by one from each message to the next. */
  readonly position: number
  readonly type: string
  /** JSON. */
  readonly data: string
}

/** Where the messages of a tenant come from. */
export interface StreamSource {
  /** The position of the latest message; 0 if there is none. */
  head(tx: Transaction, tenantId: string): Promise<number>
  /** The messages after a position, oldest first. Old messages may be gone. */
  read(tx: Transaction, tenantId: string, range: { after: number; limit: number }): Promise<StreamMessage[]>
}
