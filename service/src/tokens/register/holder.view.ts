import type { Static } from 'typebox'
import type { Holder } from './holder.schema.ts'
import type { HolderRow } from './holder.sql.ts'

export function viewHolder(row: HolderRow): Static<typeof Holder> {
  return {
    address: row.address,
    units: row.units,
    percent: row.percent,
    frozen_units: row.frozenUnits,
    since: row.since?.toISOString() ?? null,
    wallet_id: row.walletId,
    account_id: row.accountId,
    name: row.name,
  }
}
