import { selectHoldersAfter } from '../../tokens/register/holder.sql.ts'
import { type ExportSource, time } from './export-source.ts'

/** The register after a block, which is chosen when the export is requested. */
export const exportedHolders: ExportSource = {
  duty: 'read',
  columns: ['address', 'units', 'percent', 'frozen_units', 'since', 'wallet_id', 'account_id', 'block'],
  personalColumns: ['investor'],
  filters: ['offering_id', 'block'],
  nextRows: async ({ tenantId, filter, withPersonalData, after, limit }, { tx }) => {
    const { offering_id: offeringId = '', block } = filter
    // No block of the chain has been read, so there are no holders yet.
    if (block === undefined) return []
    const key = { tenantId, offeringId }
    const rows = await selectHoldersAfter(tx, key, BigInt(block), { after: after ?? '', limit })
    return rows.map((row) => ({
      key: row.address,
      cells: [
        row.address,
        row.units,
        row.percent,
        row.frozenUnits,
        time(row.since),
        row.walletId,
        row.accountId,
        String(block),
        ...(withPersonalData ? [row.name] : []),
      ],
    }))
  },
}
