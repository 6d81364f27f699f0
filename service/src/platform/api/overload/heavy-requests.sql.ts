import { join, sql } from '../../postgres/sql.ts'
import type { Transaction } from '../../postgres/transaction.ts'

/**
 * Limit of concurrent heavy requests per database, in all processes. Each occupies one core of PostgreSQL and one
 * connection of a pool of ten, so the rest of both stays free. With one, a single tenant could keep all others waiting.
 */
export const heavyRequestsMax = 3

/** Takes locks that the transaction releases when it ends, even on a pooler's connection. Waits for none of them. */
export async function tryHeavyTurn(
  tx: Transaction,
  tenantId: string,
): Promise<'yours' | 'taken by the tenant' | 'all taken'> {
  const slots = Array.from(
    { length: heavyRequestsMax },
    (_, slot) => sql`when pg_try_advisory_xact_lock(hashtextextended(${`heavy request slot ${slot}`}, 0)) then 'yours'`,
  )
  const turn = await tx.row<{ taken: Awaited<ReturnType<typeof tryHeavyTurn>> }>(sql`
    select case
      when not pg_try_advisory_xact_lock(hashtextextended(${`heavy request of ${tenantId}`}, 0))
        then 'taken by the tenant'
      ${join(slots, ' ')}
      else 'all taken'
    end as taken`)
  if (!turn) throw new Error('a lock returned no row')
  return turn.taken
}
