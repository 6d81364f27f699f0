import type { Config } from '../../base/config.ts'
import type { Transaction } from '../../postgres/transaction.ts'
import type { Colleague, KnownOperator } from './services.ts'

/** Facts and functions beyond the tenant's rows, for operations of operator users. */
export interface OperatorFacts {
  /** The user who called; while a confirmed request runs, the user who proposed it. */
  readonly operator: KnownOperator
  /** The second person, while a confirmed request runs; otherwise null. */
  readonly confirmedBy: string | null
  readonly environment: Config['environment']
  /** The current users of the tenant. Empty unless the header declares `comparesUsers`. */
  readonly colleagues: readonly Colleague[]
  /**
   * Reads rows of the tenant in the other database: for an operation in the cell, the directory, and vice versa. Only
   * for reads: writes that wait for a second connection could together exhaust the pool.
   */
  readonly readOther: <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>
  /** The names of the tenant's users and credentials, by id. Empty unless the header declares `namesCallers`. */
  readonly callerNames: ReadonlyMap<string, string>
  /** Runs a request that a second person has confirmed, in this transaction, in the name of its proposer. */
  readonly runProposed: (proposed: ProposedRequest) => Promise<unknown>
  /** Opens the stored request, with its personal data masked. */
  readonly readProposed: (stored: StoredRequest) => Promise<ReadableRequest>
}

/** A request that was stored for a second person. */
export interface StoredRequest {
  readonly id: string
  readonly operation: string
  readonly request: Buffer
}

/** Parts of the request; `body` is null if the operation has none. */
export interface ReadableRequest {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** A stored request that a second person confirms. */
export interface ProposedRequest extends StoredRequest {
  /** The body with its secrets, sealed; null if it has none. */
  readonly secrets: Buffer | null
  readonly subjectId: string
  readonly subjectVersion: string
  readonly proposer: KnownOperator
}
