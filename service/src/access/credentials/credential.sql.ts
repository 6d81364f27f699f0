import { countedPage } from '../../platform/api/declare/keyset.sql.ts'
import type { KeysetPage } from '../../platform/api/declare/keyset-list.ts'
import { rowFingerprint } from '../../platform/api/declare/row-fingerprint.sql.ts'
import type { Scope } from '../../platform/api/declare/scopes.ts'
import type { VersionName } from '../../platform/base/contract-versions.ts'
import { type Sql, sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import type { HashedSecret } from './credential-secret.ts'

export const credentialFingerprint = rowFingerprint(sql`directory.credential`)

export interface CredentialKey {
  tenantId: string
  clientId: string
}

export interface CredentialRow extends CredentialKey {
  name: string
  scopes: Scope[]
  requestsPerMinute: number
  defaultVersion: VersionName | null
  createdAt: Date
  disabledAt: Date | null
  /** Expiry of the secret before the newest one; null if it has passed. */
  previousSecretEndsAt: Date | null
  /** Exact to the minute; null if the credential was never used. */
  lastUsedAt: Date | null
}

/** Facts that authentication needs, joined from the credential, its tenant and its failed attempts. */
export interface AuthCredential
  extends Pick<CredentialRow, 'tenantId' | 'clientId' | 'scopes' | 'requestsPerMinute' | 'defaultVersion'> {
  /** Ceiling for all credentials of the tenant together. */
  tenantRequestsPerMinute: number
  /** True if the credential or its tenant is disabled. */
  isDisabled: boolean
  /** Epoch seconds; null if tokens were never revoked. */
  tokensNotBefore: number | null
  /** True if the last attempt had a wrong secret. */
  hasFailures: boolean
  /** True if a use within the last minute is recorded. */
  isUseRecorded: boolean
}

/** Row-level security shows the credential only to a transaction that presents its client id or its tenant. */
export function findAuthCredential(tx: Transaction, clientId: string): Promise<AuthCredential | undefined> {
  return tx.row<AuthCredential>(sql`
    select credential.tenant_id as "tenantId",
           credential.id as "clientId",
           credential.scopes,
           credential.default_version as "defaultVersion",
           credential.requests_per_minute as "requestsPerMinute",
           tenant.requests_per_minute_max as "tenantRequestsPerMinute",
           (credential.disabled_at is not null or tenant.disabled_at is not null) as "isDisabled",
           case when isfinite(credential.tokens_not_before)
             then extract(epoch from credential.tokens_not_before)::float8 end as "tokensNotBefore",
           coalesce(failed.consecutive, 0) > 0 as "hasFailures",
           coalesce(credential_use.last_used_at > now() - interval '1 minute', false) as "isUseRecorded"
    from directory.credential
    join directory.tenant on tenant.id = credential.tenant_id
    left join directory.failed_authentication failed
      on failed.tenant_id = credential.tenant_id and failed.credential_id = credential.id
    left join directory.credential_use
      on credential_use.tenant_id = credential.tenant_id and credential_use.credential_id = credential.id
    where credential.id = ${clientId}`)
}

export function selectLiveSecrets(tx: Transaction, clientId: string): Promise<HashedSecret[]> {
  return tx.rows<HashedSecret>(sql`
    select pepper_id as "pepperId", mac
    from directory.credential_secret
    where credential_id = ${clientId} and (expires_at is null or expires_at > now())`)
}

/** Records the use at most once a minute: the second of two processes finds a recent time and changes nothing. */
export async function recordCredentialUse(tx: Transaction, { tenantId, clientId }: CredentialKey): Promise<void> {
  await tx.rows(sql`
    insert into directory.credential_use (tenant_id, credential_id, last_used_at)
    values (${tenantId}, ${clientId}, now())
    on conflict (tenant_id, credential_id) do update set last_used_at = excluded.last_used_at
      where credential_use.last_used_at < excluded.last_used_at - interval '1 minute'`)
}

/** Counts a wrong secret and returns the number of consecutive ones. Concurrent failures wait for the row lock. */
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

export async function resetFailures(tx: Transaction, { tenantId, clientId }: CredentialKey): Promise<void> {
  await tx.rows(sql`
    update directory.failed_authentication set consecutive = 0
    where tenant_id = ${tenantId} and credential_id = ${clientId} and consecutive > 0`)
}

export interface NewCredentialRow
  extends Pick<CredentialRow, 'tenantId' | 'clientId' | 'name' | 'requestsPerMinute' | 'defaultVersion'> {
  scopes: readonly Scope[]
}

export async function insertCredential(tx: Transaction, credential: NewCredentialRow): Promise<void> {
  await tx.rows(sql`
    insert into directory.credential (tenant_id, id, name, scopes, default_version, requests_per_minute)
    values (${credential.tenantId}, ${credential.clientId}, ${credential.name}, ${credential.scopes},
            ${credential.defaultVersion}, ${credential.requestsPerMinute})`)
}

/** Overwrites the older of the two secret slots. */
export async function insertSecret(
  tx: Transaction,
  { tenantId, clientId, pepperId, mac }: CredentialKey & HashedSecret,
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

/** Sets the expiry of the existing secrets to `inSeconds` from now, unless they expire earlier. */
export async function expireSecrets(
  tx: Transaction,
  { tenantId, clientId, inSeconds }: CredentialKey & { inSeconds: number },
): Promise<void> {
  await tx.rows(sql`
    update directory.credential_secret
    set expires_at = least(expires_at, now() + make_interval(secs => ${inSeconds}))
    where tenant_id = ${tenantId} and credential_id = ${clientId}`)
}

const columns = sql`
  credential.tenant_id as "tenantId", credential.id as "clientId", credential.name, credential.scopes,
  credential.requests_per_minute as "requestsPerMinute", credential.default_version as "defaultVersion",
  credential.created_at as "createdAt", credential.disabled_at as "disabledAt",
  (select max(secret.expires_at) from directory.credential_secret secret
   where secret.tenant_id = credential.tenant_id and secret.credential_id = credential.id
     and secret.expires_at > now()) as "previousSecretEndsAt",
  (select credential_use.last_used_at from directory.credential_use
   where credential_use.tenant_id = credential.tenant_id
     and credential_use.credential_id = credential.id) as "lastUsedAt"`

function isCredential({ tenantId, clientId }: CredentialKey): Sql {
  return sql`credential.tenant_id = ${tenantId} and credential.id = ${clientId}`
}

export function findCredential(tx: Transaction, key: CredentialKey): Promise<CredentialRow | undefined> {
  return tx.row<CredentialRow>(sql`select ${columns} from directory.credential where ${isCredential(key)}`)
}

export function lockCredential(tx: Transaction, key: CredentialKey): Promise<CredentialRow | undefined> {
  return tx.row<CredentialRow>(sql`
    select ${columns} from directory.credential where ${isCredential(key)} for update of credential`)
}

export async function disableLockedCredential(tx: Transaction, key: CredentialKey): Promise<void> {
  await tx.rows(sql`
    update directory.credential set disabled_at = coalesce(disabled_at, now()) where ${isCredential(key)}`)
}

/** Revokes all tokens issued so far. Rounds up to a full second, the precision of a token's issue time. */
export async function revokeTokens(tx: Transaction, key: CredentialKey): Promise<void> {
  await tx.rows(sql`
    update directory.credential set tokens_not_before = date_trunc('second', now() + interval '999.999 milliseconds')
    where ${isCredential(key)}`)
}

/** Returns how much of the tenant's limits its enabled credentials use, without the credential `except`. */
export async function sumCredentials(
  tx: Transaction,
  tenantId: string,
  except: string | null,
): Promise<{ credentials: number; requestsPerMinute: number }> {
  const used = await tx.row<{ credentials: number; requestsPerMinute: number }>(sql`
    select count(*)::int as credentials, coalesce(sum(requests_per_minute), 0)::int as "requestsPerMinute"
    from directory.credential
    where tenant_id = ${tenantId} and disabled_at is null and id is distinct from ${except}::uuid`)
  if (!used) throw new Error('a sum returned no row')
  return used
}

/** Sorts by creation time, because client ids are random. */
export function pageOfCredentials(tx: Transaction, tenantId: string, page: KeysetPage) {
  return countedPage<CredentialRow>(tx, page, {
    columns,
    from: sql`directory.credential`,
    where: sql`credential.tenant_id = ${tenantId}`,
    id: sql`credential.id`,
    keys: { created_at: { column: sql`credential.created_at`, type: 'timestamptz' } },
  })
}

export async function updateLockedCredential(
  tx: Transaction,
  key: CredentialKey,
  { name, scopes, requestsPerMinute }: Pick<CredentialRow, 'name' | 'scopes' | 'requestsPerMinute'>,
): Promise<void> {
  await tx.rows(sql`
    update directory.credential set name = ${name}, scopes = ${scopes}, requests_per_minute = ${requestsPerMinute}
    where ${isCredential(key)}`)
}
