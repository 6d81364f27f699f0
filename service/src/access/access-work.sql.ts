import { hasDuty } from '../platform/api/declare/duties.ts'
import { type Sql, sql } from '../platform/postgres/sql.ts'
import type { WorkKind, WorkScope, WorkSource } from '../records/work/work-kind.ts'

const expiringDays = 14

/** Work of the room access: changes that wait for a second person, and secrets that soon expire. */
export const accessWork: readonly WorkKind[] = [
  {
    kind: 'approval',
    description: 'changes of other users that you may confirm or reject, until one of you decides or they expire',
    duty: 'read',
    sources: [approvalsIn('cell'), approvalsIn('directory')],
  },
  {
    kind: 'secret_expiring',
    description:
      `your tokens, with the duty team those of all users, and with the duty integrations the rotated secrets of ` +
      `credentials that stop working within ${expiringDays} days`,
    duty: 'read',
    sources: [
      {
        database: 'directory',
        from: sql`directory.personal_token`,
        where: ({ tenantId, operator, now }) => sql`
          personal_token.tenant_id = ${tenantId} and personal_token.revoked_at is null
          and personal_token.expires_at > ${now}::timestamptz
          and personal_token.expires_at < ${end(now)}::timestamptz
          and ${hasDuty(operator, 'team', null) ? sql`true` : sql`personal_token.user_id = ${operator.userId}::uuid`}`,
        id: sql`personal_token.id`,
        since: { column: sql`personal_token.expires_at`, type: 'timestamptz' },
        name: sql`personal_token.name`,
        target: 'user',
        targetId: sql`personal_token.user_id`,
      },
      {
        database: 'directory',
        from: sql`
          directory.credential_secret
          join directory.credential on credential.tenant_id = credential_secret.tenant_id
            and credential.id = credential_secret.credential_id and credential.disabled_at is null`,
        where: ({ tenantId, operator, now }) => sql`
          credential_secret.tenant_id = ${tenantId} and credential_secret.expires_at > ${now}::timestamptz
          and credential_secret.expires_at < ${end(now)}::timestamptz
          and ${hasDuty(operator, 'integrations', null) ? sql`true` : sql`false`}`,
        id: sql`credential_secret.credential_id`,
        since: { column: sql`credential_secret.expires_at`, type: 'timestamptz' },
        name: sql`credential.name`,
        target: 'credential',
      },
    ],
  },
]

function end(now: Date): Date {
  return new Date(now.getTime() + expiringDays * 86_400_000)
}

/** Only the confirmation checks that the caller is independent of the proposer: that depends on all users. */
function approvalsIn(database: 'cell' | 'directory'): WorkSource {
  return {
    database,
    from: sql`base.approval`,
    where: (scope) => sql`
      approval.tenant_id = ${scope.tenantId} and approval.database = ${database} and approval.state = 'pending'
      and approval.expires_at > ${scope.now}::timestamptz and approval.proposed_by <> ${scope.operator.userId}::uuid
      and (${mayConfirm(scope)})`,
    id: sql`approval.id`,
    since: { column: sql`approval.proposed_at`, type: 'timestamptz' },
    name: sql`approval.operation`,
    target: database === 'cell' ? 'approval' : 'directory_approval',
  }
}

function mayConfirm({ operator: { duties } }: WorkScope): Sql {
  const unlimited = duties.filter(({ offeringIds }) => offeringIds === null).map(({ duty }) => duty)
  const limited = duties.flatMap(
    ({ duty, offeringIds }) => offeringIds?.map((offeringId) => ({ duty, offeringId })) ?? [],
  )
  return sql`
    approval.confirm_duty = any (${unlimited}::text[])
    or (approval.confirm_duty, approval.offering_id) in (
      select duty, offering_id from unnest(${limited.map(({ duty }) => duty)}::text[],
                                           ${limited.map(({ offeringId }) => offeringId)}::uuid[])
        as granted (duty, offering_id)
    )`
}
