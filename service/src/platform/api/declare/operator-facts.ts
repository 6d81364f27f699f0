import type { Colleague, KnownOperator } from './services.ts'

/** What operations of operator users can reach beyond the rows of the tenant. */
export interface OperatorFacts {
  /** The user who called; while a confirmed request runs, the user who proposed it. */
  readonly operator: KnownOperator
  /** The current users of the tenant. Empty unless the header declares `comparesUsers`. */
  readonly colleagues: readonly Colleague[]
  /** Runs a request that a second person has confirmed, in this transaction, in the name of its proposer. */
  readonly runProposed: (proposed: ProposedRequest) => Promise<unknown>
}

/** A stored request that waits for a second person. */
export interface ProposedRequest {
  readonly id: string
  readonly operation: string
  readonly request: Buffer
  readonly subjectId: string
  readonly subjectVersion: string
  readonly proposer: KnownOperator
}
