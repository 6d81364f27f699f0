import type { Static } from 'typebox'
import type { Policy } from '../../platform/api/declare/approval.ts'
import type { ApprovalPolicy } from './policy.schema.ts'
import type { PolicyRow } from './policy.sql.ts'

export function viewPolicy(policy: Policy, row: PolicyRow | undefined): Static<typeof ApprovalPolicy> {
  if (!row) return { policy, second_person: 'always', from_minor: null }
  return { policy, second_person: row.fromMinor === null ? 'never' : 'from_amount', from_minor: row.fromMinor }
}
