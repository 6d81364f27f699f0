import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { ChainOp } from '../chain-ops/chain-op.sql.ts'
import { type TokenTransferRow, transferColumns } from './transfer.sql.ts'

/** Locks the request that the op executes; undefined for a forced transfer that was proposed as a token action. */
export function lockTransferOfOp(tx: Transaction, { tenantId, id }: Pick<ChainOp, 'tenantId' | 'id'>) {
  return tx.row<TokenTransferRow>(sql`
    select ${transferColumns} from cell.token_transfer
    where token_transfer.tenant_id = ${tenantId} and token_transfer.op_id = ${id}
    for no key update`)
}
