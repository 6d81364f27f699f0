import type { Policy } from '../../platform/api/declare/approval.ts'
import type { Duty } from '../../platform/api/declare/duties.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'

export interface PolicyRow {
  policy: Policy
  /** Amount in minor units from which a second person is needed; null if one never is. */
  fromMinor: string | null
}

export interface DutyPair {
  duty: Duty
  otherDuty: Duty
}

export function selectPolicies(tx: Transaction, tenantId: string): Promise<PolicyRow[]> {
  return tx.rows<PolicyRow>(sql`
    select policy, from_minor as "fromMinor" from directory.approval_policy
    where approval_policy.tenant_id = ${tenantId}`)
}

export async function upsertPolicy(tx: Transaction, tenantId: string, { policy, fromMinor }: PolicyRow): Promise<void> {
  await tx.rows(sql`
    insert into directory.approval_policy (tenant_id, policy, from_minor)
    values (${tenantId}, ${policy}, ${fromMinor})
    on conflict (tenant_id, policy) do update set from_minor = excluded.from_minor`)
}

/** Deletes the row of a policy, which then applies from the first minor unit on. */
export async function deletePolicy(tx: Transaction, tenantId: string, policy: Policy): Promise<void> {
  await tx.rows(sql`
    delete from directory.approval_policy where tenant_id = ${tenantId} and policy = ${policy}`)
}

export function selectDutyPairs(tx: Transaction, tenantId: string): Promise<DutyPair[]> {
  return tx.rows<DutyPair>(sql`
    select duty, other_duty as "otherDuty" from directory.forbidden_duty_pair
    where forbidden_duty_pair.tenant_id = ${tenantId} order by duty, other_duty`)
}

export async function replaceDutyPairs(tx: Transaction, tenantId: string, pairs: readonly DutyPair[]): Promise<void> {
  await tx.rows(sql`delete from directory.forbidden_duty_pair where tenant_id = ${tenantId}`)
  for (const { duty, otherDuty } of pairs)
    await tx.rows(sql`
      insert into directory.forbidden_duty_pair (tenant_id, duty, other_duty)
      values (${tenantId}, ${duty}, ${otherDuty})`)
}
