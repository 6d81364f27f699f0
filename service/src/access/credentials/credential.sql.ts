import { filteredCut } from '../../platform/api/declare/page.sql.ts'
import type { Page } from '../../platform/api/declare/page.ts'
import type { Scope } from '../../platform/api/declare/scopes.ts'
import type { VersionName } from '../../platform/api/server/versions.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { SealedSecret } from './credential-secret.ts'

export interface CredentialRow {
  tenantId: string
  clientId: string
  scopes: Scope[]
  defaultVersion: string | null
  requestsPerMinute: number
  isDisabled: boolean
  /** Epoch seconds; null when no token was ever revoked. */
  tokensNotBefore: number | null
  /** Whether a streak of wrong secrets is open. */
  hasFailures: boolean
}

export interface CredentialKey {
  tenantId: string
  clientId: string
}

/** The credential of this id in whatever tenant. Only inside a transaction that presents this id, or its tenant's. */
export function findCredential(tx: Transaction, clientId: string): Promise<CredentialRow | undefined> {
  return tx.row<CredentialRow>(sql`
    select credential.tenant_id as "tenantId",
           credential.id as "clientId",
           credential.scopes,
           credential.default_version as "defaultVersion",
           credential.requests_per_minute as "requestsPerMinute",
           (credential.disabled_at is not null or tenant.disabled_at is not null) as "isDisabled",
           case when isfinite(credential.tokens_not_before)
             then extract(epoch from credential.tokens_not_before)::float8 end as "tokensNotBefore",
           coalesce(failed.consecutive, 0) > 0 as "hasFailures"
    from directory.credential
    join directory.tenant on tenant.id = credential.tenant_id
    left join directory.failed_authentication failed
      on failed.tenant_id = credential.tenant_id and failed.credential_id = credential.id
    where credential.id = ${clientId}`)
}

export function listLiveSecrets(tx: Transaction, clientId: string): Promise<SealedSecret[]> {
  return tx.rows<SealedSecret>(sql`
    select pepper_id as "pepperId", mac
    from directory.credential_secret
    where credential_id = ${clientId} and (expires_at is null or expires_at > now())`)
}

/** Adds one to the streak of wrong secrets and tells how long it is now. Concurrent failures queue at the row. */
export async function countFailure(
  tx: Transaction,
  { tenantId, clientId }: CredentialKey,
): Promise<{ consecutive: number; failedAt: Date }> {
  const failure = await tx.row<{ consecutive: number; failedAt: Date }>(sql`
    insert into directory.failed_authentication (tenant_id, credential_id, consecutive, last_failed_at)
    values (${tenantId}, ${clientId}, 1, now())
    on conflict (tenant_id, credential_id) do update
      set consecutive = failed_authentication.consecutive + 1, last_failed_at = now()
    returning consecutive, last_failed_at as "failedAt"`)
  if (!failure) throw new Error('an upsert without a condition returned no row')
  return failure
}

export async function endStreak(tx: Transaction, { tenantId, clientId }: CredentialKey): Promise<void> {
  await tx.rows(sql`
    update directory.failed_authentication set consecutive = 0
    where tenant_id = ${tenantId} and credential_id = ${clientId} and consecutive > 0`)
}

export interface NewCredentialRow extends CredentialKey {
  name: string
  scopes: readonly Scope[]
  defaultVersion: string | null
  requestsPerMinute: number
}

export async function insertCredential(tx: Transaction, credential: NewCredentialRow): Promise<void> {
  await tx.rows(sql`
    insert into directory.credential (tenant_id, id, name, scopes, default_version, requests_per_minute)
    values (${credential.tenantId}, ${credential.clientId}, ${credential.name}, ${credential.scopes},
            ${credential.defaultVersion}, ${credential.requestsPerMinute})`)
}

/** Puts a secret into the slot that the newest one does not use; what was in there is gone. */
export async function insertSecret(
  tx: Transaction,
  { tenantId, clientId, pepperId, mac }: CredentialKey & SealedSecret,
): Promise<void> {
  await tx.rows(sql`
    insert into directory.credential_secret (tenant_id, credential_id, slot, pepper_id, mac)
    select ${tenantId}, ${clientId},
           coalesce((select 3 - slot from directory.credential_secret
                     where tenant_id = ${tenantId} and credential_id = ${clientId}
                     order by created_at desc limit 1), 1),
           ${pepperId}, ${mac}
    on conflict (tenant_id, credential_id, slot) do update
      set pepper_id = excluded.pepper_id, mac = excluded.mac, created_at = now(), expires_at = null`)
}

/** Lets the secrets that are alive now end so many seconds from now, unless they end earlier anyway. */
export async function expireSecrets(
  tx: Transaction,
  { tenantId, clientId, inSeconds }: CredentialKey & { inSeconds: number },
): Promise<void> {
  await tx.rows(sql`
    update directory.credential_secret
    set expires_at = least(expires_at, now() + make_interval(secs => ${inSeconds}))
    where tenant_id = ${tenantId} and credential_id = ${clientId}`)
}

/** The credential as it is now, held until the end of the transaction. */
export function lockCredential(
  tx: Transaction,
  { tenantId, clientId }: CredentialKey,
): Promise<DescribedCredential | undefined> {
  return tx.row<DescribedCredential>(sql`
    select ${descriptionColumns} from directory.credential
    where credential.tenant_id = ${tenantId} and credential.id = ${clientId}
    for update of credential`)
}

export async function disableLockedCredential(tx: Transaction, { tenantId, clientId }: CredentialKey): Promise<void> {
  await tx.rows(sql`
    update directory.credential set disabled_at = coalesce(disabled_at, now())
    where tenant_id = ${tenantId} and id = ${clientId}`)
}

/** Refuses every token issued until now. Rounded up to the next second, since a token knows its issue in seconds. */
export async function revokeTokens(tx: Transaction, { tenantId, clientId }: CredentialKey): Promise<void> {
  await tx.rows(sql`
    update directory.credential
    set tokens_not_before = date_trunc('second', now() + interval '999.999 milliseconds')
    where tenant_id = ${tenantId} and id = ${clientId}`)
}

/** A credential as its tenant looks after it. */
export interface DescribedCredential {
  clientId: string
  name: string
  scopes: Scope[]
  requestsPerMinute: number
  defaultVersion: VersionName | null
  createdAt: Date
  disabledAt: Date | null
  /** When the secret before the newest one ends, while it still works. */
  oldSecretEndsAt: Date | null
}

const descriptionColumns = sql`
  credential.id as "clientId", credential.name, credential.scopes,
  credential.requests_per_minute as "requestsPerMinute", credential.default_version as "defaultVersion",
  credential.created_at as "createdAt", credential.disabled_at as "disabledAt",
  (select max(secret.expires_at) from directory.credential_secret secret
   where secret.tenant_id = credential.tenant_id and secret.credential_id = credential.id
     and secret.expires_at > now()) as "oldSecretEndsAt"`

export function describeCredential(
  tx: Transaction,
  { tenantId, clientId }: CredentialKey,
): Promise<DescribedCredential | undefined> {
  return tx.row<DescribedCredential>(sql`
    select ${descriptionColumns} from directory.credential
    where credential.tenant_id = ${tenantId} and credential.id = ${clientId}`)
}

export async function countCredentials(tx: Transaction, tenantId: string): Promise<number> {
  const found = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from directory.credential where tenant_id = ${tenantId}`)
  return found?.count ?? 0
}

/** Their ids say nothing of time, so they are in the order of their issue. */
export function selectCredentials(tx: Transaction, tenantId: string, page: Page): Promise<DescribedCredential[]> {
  return tx.rows<DescribedCredential>(sql`
    select ${descriptionColumns} from directory.credential
    where credential.tenant_id = ${tenantId}
    ${filteredCut(sql`(credential.created_at, credential.id)`, page)}`)
}

export async function updateLockedCredential(
  tx: Transaction,
  { tenantId, clientId }: CredentialKey,
  changed: Pick<DescribedCredential, 'name' | 'scopes' | 'requestsPerMinute'>,
): Promise<void> {
  await tx.rows(sql`
    update directory.credential
    set name = ${changed.name}, scopes = ${changed.scopes}, requests_per_minute = ${changed.requestsPerMinute}
    where tenant_id = ${tenantId} and id = ${clientId}`)
}
