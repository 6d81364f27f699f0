import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'
import type { ReconciliationFigures } from './reconciliation.schema.ts'

/** The last comparison of a token with its chain. */
export interface ReconciliationRow {
  requestedAt: Date | null
  comparedAt: Date | null
  figures: ReconciliationFigures | null
  differences: string[]
  problem: string | null
}

/** Returns undefined if there is no such offering. Before the first comparison, all members are empty. */
export function findReconciliation(tx: Transaction, { tenantId, offeringId }: OfferingKey) {
  return tx.row<ReconciliationRow & { isDeployed: boolean }>(sql`
    select offering.token_deployed_at is not null as "isDeployed", reconciliation.requested_at as "requestedAt",
           reconciliation.compared_at as "comparedAt", reconciliation.figures,
           coalesce(reconciliation.differences, '{}') as differences, reconciliation.problem
    from cell.offering
    left join cell.reconciliation on reconciliation.tenant_id = offering.tenant_id
      and reconciliation.offering_id = offering.id
    where offering.tenant_id = ${tenantId} and offering.id = ${offeringId}`)
}

export async function requestReconciliation(tx: Transaction, { tenantId, offeringId }: OfferingKey, now: Date) {
  await tx.rows(sql`
    insert into cell.reconciliation (tenant_id, offering_id, requested_at)
    values (${tenantId}, ${offeringId}, ${now})
    on conflict (tenant_id, offering_id) do update set requested_at = excluded.requested_at, problem = null`)
}

export async function storeReconciliation(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  { figures, differences, now }: { figures: ReconciliationFigures; differences: readonly string[]; now: Date },
): Promise<void> {
  await tx.rows(sql`
    insert into cell.reconciliation (tenant_id, offering_id, compared_at, figures, differences)
    values (${tenantId}, ${offeringId}, ${now}, ${JSON.stringify(figures)}::jsonb, ${differences}::text[])
    on conflict (tenant_id, offering_id) do update
      set compared_at = excluded.compared_at, figures = excluded.figures, differences = excluded.differences,
          problem = null`)
}

export async function storeReconciliationProblem(
  tx: Transaction,
  { tenantId, offeringId }: OfferingKey,
  problem: string,
): Promise<void> {
  await tx.rows(sql`
    update cell.reconciliation set problem = ${problem.slice(0, 500)}
    where tenant_id = ${tenantId} and offering_id = ${offeringId}`)
}
