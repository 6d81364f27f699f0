import { join, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'

/**
 * Heavy requests at a time per database, in all processes together. Each occupies one core of PostgreSQL and one
 * connection of a pool of ten, so the rest of both stays free. One would let a single tenant keep all others waiting.
 */
export const heavyRequestsMax = 3

/** Takes locks that the transaction releases when it ends, also on a connection of a pooler. Waits for none of them. */
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
