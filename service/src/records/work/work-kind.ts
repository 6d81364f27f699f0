import type { Duty } from '../../platform/api/declare/duties.ts'
import { hasDuty } from '../../platform/api/declare/duties.ts'
import type { SortKey } from '../../platform/api/declare/keyset.sql.ts'
import type { KnownOperator } from '../../platform/api/declare/services.ts'
import type { Sql } from '../../platform/postgres/sql.ts'

/** A kind of work that waits for an operator. Each room declares its own; workbench/work/work-kinds.ts lists all. */
export interface WorkKind {
  readonly kind: string
  /** Text for the API reference: what waits, and what ends the wait. */
  readonly description: string
  /** Duty of the people who have this work. A duty that is limited to offerings shows the work of those offerings. */
  readonly duty: Duty
  readonly sources: readonly [WorkSource, ...WorkSource[]]
}

/** The rows of one table that are work. Each needs a partial index on the tenant, `since` and `id`. */
export interface WorkSource {
  readonly database: 'cell' | 'directory'
  /** The table, with joins that `where`, `amount` and `currency` need. */
  readonly from: Sql
  /** Begins with the tenant. */
  readonly where: (scope: WorkScope) => Sql
  readonly id: Sql
  /** Time when the row became work or is due. The oldest comes first. */
  readonly since: SortKey
  /** Present if the work is about money, with its currency. */
  readonly amount?: Sql
  readonly currency?: Sql
  /** The offering of a row. If absent, a duty that is limited to offerings does not show the row. */
  readonly offering?: Sql
  /** Name by which a person recognizes the row, with joins that only it needs. */
  readonly name: Sql
  readonly nameJoin?: Sql
  /** The resource to open. Its id is the row's, unless another is given. */
  readonly target: string
  readonly targetId?: Sql
}

/** The person whose work is requested. */
export interface WorkScope {
  readonly tenantId: string
  readonly operator: KnownOperator
  readonly now: Date
}

/** Returns the offerings whose work of this kind the user has: null for all, undefined if the user lacks the duty. */
export function workOfferings(operator: KnownOperator, { duty }: WorkKind): readonly string[] | null | undefined {
  if (hasDuty(operator, duty, null)) return null
  return operator.duties.find((granted) => granted.duty === duty)?.offeringIds ?? undefined
}
