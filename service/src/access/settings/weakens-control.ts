import type { TenantSettingsRow } from './tenant-settings.sql.ts'

type Judge = (from: TenantSettingsRow, to: TenantSettingsRow) => boolean

/** One rule per setting: a new setting does not compile without one. */
const weakens: Readonly<Record<keyof TenantSettingsRow, Judge>> = {
  approval_expiry_days: (from, to) => to.approval_expiry_days > from.approval_expiry_days,
  refund_hold_days: (from, to) => to.refund_hold_days < from.refund_hold_days,
  refund_name_similarity_percent: (from, to) => to.refund_name_similarity_percent < from.refund_name_similarity_percent,
  retention_years: (from, to) => to.retention_years < from.retention_years,
  time_zone: () => false,
  // A signature for an attacker's site would count as a proof.
  wallet_proof_url: (from, to) => to.wallet_proof_url !== from.wallet_proof_url,
  mails_proposals: (from, to) => from.mails_proposals && !to.mails_proposals,
  mails_disabled_endpoints: (from, to) => from.mails_disabled_endpoints && !to.mails_disabled_endpoints,
}

/** Returns true if the change makes it easier for one person, or one stolen token, to do harm. */
export function weakensControl(settings: TenantSettingsRow, change: Partial<TenantSettingsRow>): boolean {
  const changed = { ...settings, ...change }
  return Object.values(weakens).some((judge) => judge(settings, changed))
}
