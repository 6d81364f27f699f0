import type { Transaction } from '../../postgres/transaction.ts'

/** A message for everyone who listens to a tenant. */
export interface StreamMessage {
  /** Number of the message: the previous one plus one. */
  readonly position: number
  readonly type: string
  /** The data as JSON. */
  readonly data: string
}

/** Source of a tenant's messages. */
export interface StreamSource {
  /** Returns the position of the latest message; 0 if there is none. */
  head(tx: Transaction, tenantId: string): Promise<number>
  /** Returns the messages after a position, oldest first. Old messages may be gone. */
  read(tx: Transaction, tenantId: string, range: { after: number; limit: number }): Promise<StreamMessage[]>
}
