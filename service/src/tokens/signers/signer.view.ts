import type { Static } from 'typebox'
import type { SignerStatus } from './signer.schema.ts'
import type { SignerStatusRow } from './signer-status.sql.ts'

export function viewSigner(row: SignerStatusRow): Static<typeof SignerStatus> {
  return {
    chain: row.chain,
    address: row.address,
    key_backend: row.keyBackend,
    desk_address: row.deskAddress,
    admin_address: row.adminAddress,
    next_nonce: Number(row.nextNonce),
    nonce_latest: row.nonceLatest === null ? null : Number(row.nonceLatest),
    nonce_pending: row.noncePending === null ? null : Number(row.noncePending),
    balance_wei: row.balanceWei,
    spent_wei_7_days: row.spentWei,
    days_left: daysLeft(row),
    checked_at: row.checkedAt?.toISOString() ?? null,
  }
}

function daysLeft({ balanceWei, spentWei }: SignerStatusRow): number | null {
  if (balanceWei === null || spentWei === '0') return null
  const days = (BigInt(balanceWei) * 7n) / BigInt(spentWei)
  return Number(days < daysMax ? days : daysMax)
}

const daysMax = 36_500n
