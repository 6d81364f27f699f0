import { allOf, boundedCount, isEqual, keysetCut } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage, KeysetRow } from '../../platform/api/declare/keyset-list.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { TransferVerdict } from './unrequested-transfer.ts'

export interface UnrequestedTransferRow {
  id: string
  offeringId: string
  fromAddress: string
  toAddress: string
  senderAccountId: string | null
  receiverAccountId: string | null
  units: string
  transactionHash: string
  movedAt: Date
  breaches: string[]
  offeringName: string
  decimals: number
  senderName: string | null
  receiverName: string | null
  verdict: TransferVerdict | null
  note: string | null
  judgedAt: Date | null
}

const columns: Sql = sql`
  unrequested.id, unrequested.offering_id as "offeringId", unrequested.from_address as "fromAddress",
  unrequested.to_address as "toAddress", unrequested.sender_account_id as "senderAccountId",
  unrequested.receiver_account_id as "receiverAccountId", unrequested.units::text as units,
  unrequested.transaction_hash as "transactionHash", unrequested.block_timestamp as "movedAt", unrequested.breaches,
  unrequested.verdict, unrequested.note, unrequested.judged_at as "judgedAt",
  (select offering.name from cell.offering where offering.tenant_id = unrequested.tenant_id
     and offering.id = unrequested.offering_id) as "offeringName",
  (select offering.decimals from cell.offering where offering.tenant_id = unrequested.tenant_id
     and offering.id = unrequested.offering_id) as decimals,
  (select account.full_name from cell.account where account.tenant_id = unrequested.tenant_id
     and account.id = unrequested.sender_account_id) as "senderName",
  (select account.full_name from cell.account where account.tenant_id = unrequested.tenant_id
     and account.id = unrequested.receiver_account_id) as "receiverName"`

export interface UnrequestedTransferFilter {
  judged?: 'true' | 'false' | undefined
  offering_id?: string | undefined
}

function matching(tenantId: string, { judged, offering_id }: UnrequestedTransferFilter): Sql {
  return allOf([
    sql`unrequested.tenant_id = ${tenantId}`,
    isEqual(sql`unrequested.offering_id`, offering_id),
    judged === undefined ? undefined : sql`(unrequested.verdict is not null) = ${judged === 'true'}`,
  ])
}

export function countUnrequested(
  tx: Transaction,
  tenantId: string,
  filter: UnrequestedTransferFilter,
): Promise<number> {
  return boundedCount(tx, sql`from cell.unrequested_transfer unrequested where ${matching(tenantId, filter)}`)
}

export function selectUnrequested(
  tx: Transaction,
  tenantId: string,
  filter: UnrequestedTransferFilter,
  page: KeysetPage,
): Promise<(UnrequestedTransferRow & KeysetRow)[]> {
  const cut = keysetCut(sql`unrequested.id`, page)
  return tx.rows(sql`
    select ${columns}, ${cut.column} from cell.unrequested_transfer unrequested
    where ${matching(tenantId, filter)} and ${cut.where} ${cut.orderBy}`)
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
  { verdict, note, now }: { verdict: TransferVerdict; note: string; now: Date },
): Promise<void> {
  await tx.rows(sql`
    update cell.unrequested_transfer set verdict = ${verdict}, note = ${note}, judged_at = ${now}
    where tenant_id = ${tenantId} and id = ${id}`)
}
