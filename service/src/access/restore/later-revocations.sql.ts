import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'

/** An event in a tenant's cell about a credential, later than the moment that the directory was restored to. */
export interface LaterRevocation {
  clientId: string
  type: 'credential.disabled' | 'credential.rotated'
}

export function selectLaterRevocations(tx: Transaction, tenantId: string, restoredTo: string) {
  return tx.rows<LaterRevocation>(sql`
    select distinct data ->> 'client_id' as "clientId", type
    from (
      select type, data from cell.event
      where tenant_id = ${tenantId} and type in ('credential.disabled', 'credential.rotated')
        and created_at > ${restoredTo}::timestamptz
      union all
      select type, data from cell.event_outbox
      where tenant_id = ${tenantId} and type in ('credential.disabled', 'credential.rotated')
        and created_at > ${restoredTo}::timestamptz
    ) recorded`)
}
