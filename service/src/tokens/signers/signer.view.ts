import type { Static } from 'typebox'
import { viewApiRow } from '../../platform/api/declare/api-row.ts'
import type { SignerStatus } from './signer.schema.ts'
import type { SignerStatusRow } from './signer-status.sql.ts'

export function viewSigner(row: SignerStatusRow): Static<typeof SignerStatus> {
  return { ...viewApiRow(row), days_left: daysLeft(row) }
}

function daysLeft({ balance_wei: balanceWei, spent_wei_7_days: spentWei }: SignerStatusRow): number | null {
  if (balanceWei === null || spentWei === '0') return null
  const days = (BigInt(balanceWei) * 7n) / BigInt(spentWei)
  return Number(days < daysMax ? days : daysMax)
}

const daysMax = 36_500n
