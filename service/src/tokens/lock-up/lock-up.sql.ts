import type { Address } from 'viem'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { OfferingKey } from '../../sales/offerings/offering.sql.ts'

export interface TokenLockUp {
  /** True if the token rejects transfers during lock-up. */
  isEnforced: boolean
  token: Address | null
  until: Date | null
}

/** Locks the lock-up against changes until the transaction ends. */
export function lockTokenLockUp(tx: Transaction, { tenantId, offeringId }: OfferingKey) {
  return tx.row<TokenLockUp>(sql`
    select token_enforces_lock_up as "isEnforced", token_address as token, lock_up_until as until
    from cell.offering where tenant_id = ${tenantId} and id = ${offeringId}
    for share`)
}
