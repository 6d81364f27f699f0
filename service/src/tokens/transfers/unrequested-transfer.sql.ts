import type { Static } from 'typebox'
import type { ApiRow } from '../../platform/api/declare/api-row.ts'
import { allOf, boundedCount, isEqual, keysetCut } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage, KeysetRow } from '../../platform/api/declare/keyset-list.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { transferNames } from './transfer.sql.ts'
import type { TransferJudgement, UnrequestedTransfer } from './unrequested-transfer.schema.ts'

export type UnrequestedTransferRow = ApiRow<typeof UnrequestedTransfer, 'moved_at' | 'judged_at'>

const columns: Sql = sql`
  unrequested.id, unrequested.offering_id, unrequested.from_address, unrequested.to_address,
  unrequested.sender_account_id, unrequested.receiver_account_id, unrequested.units::text as units,
  unrequested.transaction_hash, unrequested.block_timestamp as moved_at, unrequested.breaches, unrequested.verdict,
  unrequested.note, unrequested.judged_at,
  ${transferNames(sql`unrequested`)}`

export interface UnrequestedTransferFilter {
  judged?: 'true' | 'false' | undefined
  offering_id?: string | undefined
}

/** Counts the transfers, and selects a page of them. */
export function selectUnrequested(
  tx: Transaction,
  tenantId: string,
  { judged, offering_id }: UnrequestedTransferFilter,
  page: KeysetPage,
) {
  const cut = keysetCut(sql`unrequested.id`, page)
  const matching = allOf([
    sql`unrequested.tenant_id = ${tenantId}`,
    isEqual(sql`unrequested.offering_id`, offering_id),
    judged === undefined ? undefined : sql`(unrequested.verdict is not null) = ${judged === 'true'}`,
  ])
  const from = sql`from cell.unrequested_transfer unrequested where ${matching}`
  return tx.batch(
    (tx) => boundedCount(tx, from),
    (tx) =>
      tx.rows<UnrequestedTransferRow & KeysetRow>(sql`
      select ${columns}, ${cut.column} ${from} and ${cut.where} ${cut.orderBy}`),
  )
}

export function lockUnrequested(tx: Transaction, tenantId: string, id: string) {
  return tx.row<UnrequestedTransferRow>(sql`
    select ${columns} from cell.unrequested_transfer unrequested
    where unrequested.tenant_id = ${tenantId} and unrequested.id = ${id}
    for no key update of unrequested`)
}

export async function updateVerdict(
  tx: Transaction,
  { tenantId, id }: { tenantId: string; id: string },
  { verdict, note, now }: Static<typeof TransferJudgement> & { now: Date },
) {
  await tx.rows(sql`
    update cell.unrequested_transfer set verdict = ${verdict}, note = ${note}, judged_at = ${now}
    where tenant_id = ${tenantId} and id = ${id}`)
}
