import { ApiError } from '../platform/api/errors/errors.ts'
import { sql } from '../platform/postgres/sql.ts'
import type { Transaction } from '../platform/postgres/transaction.ts'
import type { OfferingKey } from '../sales/offerings/offering.sql.ts'
import { pausedReason } from '../tokens/minting/offering-token.sql.ts'
import { distributionErrors } from './distribution.errors.ts'

/**
 * Rejects a distribution while the register is known to differ from the chain, until two persons accept the difference:
 * it would pay the wrong holders. Anything that stops minting is such a difference, except a pause. While the token is
 * paused, only the comparison stores a difference.
 */
export async function requireRegisterAgrees(tx: Transaction, { tenantId, offeringId }: OfferingKey): Promise<void> {
  const found = await tx.row<{ difference: string | null }>(sql`
    select coalesce(
      nullif(offering.minting_stopped, ${pausedReason}),
      case when array_to_string(reconciliation.differences, '; ')
             not in ('', coalesce(offering.accepted_difference, ''))
           then array_to_string(reconciliation.differences, '; ') end) as difference
    from cell.offering
    left join cell.reconciliation on reconciliation.tenant_id = offering.tenant_id
      and reconciliation.offering_id = offering.id
    where offering.tenant_id = ${tenantId} and offering.id = ${offeringId}`)
  if (!found?.difference) return
  throw new ApiError(
    distributionErrors.register_differs,
    `The register differs from the chain: ${found.difference}. Find out why. If it is right, two persons accept it ` +
      'with POST /offerings/{offeringId}/resume-minting.',
  )
}
