/**
 * Ways for a cell to lose its primary: PostgreSQL is killed, its machine is lost, its machine freezes and thaws later,
 * an operator switches, or the network between it and the other members is cut while clients still reach it.
 */
export type FailoverKind = 'killed' | 'lost' | 'frozen' | 'planned' | 'cut'

/** A replicated database whose primary can fail. */
export interface FailingCluster {
  /** The address that follows the primary. */
  readonly url: string
  /**
   * Resolves once another member is primary and the former primary follows it. Throws if the former primary has
   * acknowledged a write meanwhile.
   */
  fail(kind: FailoverKind): Promise<void>
  remove(): Promise<void>
}
