import type { Static } from 'typebox'
import type { LastReconciliation } from './reconciliation.schema.ts'
import type { ReconciliationRow } from './reconciliation.sql.ts'

export function viewReconciliation(offeringId: string, row: ReconciliationRow): Static<typeof LastReconciliation> {
  return {
    offering_id: offeringId,
    state: stateOf(row),
    requested_at: row.requestedAt?.toISOString() ?? null,
    compared_at: row.comparedAt?.toISOString() ?? null,
    figures: row.figures,
    differences: row.differences,
    problem: row.problem,
  }
}

function stateOf({ requestedAt, comparedAt, problem, differences }: ReconciliationRow) {
  if (problem !== null) return 'failed'
  if (requestedAt && (!comparedAt || comparedAt < requestedAt)) return 'requested'
  if (!comparedAt) return 'none'
  return differences.length > 0 ? 'different' : 'equal'
}
