import type { TenantSettingsRow } from '../../access/settings/tenant-settings.sql.ts'
import { nameSimilarity } from '../payments/name-similarity.ts'

const dayMs = 86_400_000

/**
 * The tenant's rules for refunds. The default of 60 percent accepts a missing first name or a second account holder,
 * and rejects a shared first name or legal form alone.
 */
export type RefundRules = Pick<TenantSettingsRow, 'refund_hold_days' | 'refund_name_similarity_percent'>

/**
 * Returns why money must not go to the bank account of an investor without a second person; undefined if it may. A
 * stolen token that can change that account must not redirect money at once.
 */
export function accountDoubt(
  { changedAt, accountHolder, accountName }: { changedAt: Date | null; accountHolder: string; accountName: string },
  { now, rules }: { now: Date; rules: RefundRules },
): 'bank_account_changed' | 'holder_unlike_investor' | undefined {
  const { refund_hold_days: holdDays, refund_name_similarity_percent: percentMin } = rules
  if (changedAt && changedAt.getTime() > now.getTime() - holdDays * dayMs) return 'bank_account_changed'
  return nameSimilarity(accountHolder, accountName) * 100 < percentMin ? 'holder_unlike_investor' : undefined
}
