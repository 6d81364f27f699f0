import { sql } from '../../platform/postgres/sql.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'

export interface PasskeyRow {
  id: Buffer
  publicKey: Buffer
  signCount: number
  transports: string[]
  name: string
  createdAt: Date
  lastUsedAt: Date | null
}

interface PasskeyKey {
  identityId: string
  passkeyId: Buffer
}

const columns = sql`
  passkey.id, passkey.public_key as "publicKey", passkey.sign_count::int as "signCount", passkey.transports,
  passkey.name, passkey.created_at as "createdAt", passkey.last_used_at as "lastUsedAt"`

/** All functions here need a transaction that presents the person's id. Not paged: a person has few passkeys. */
export function selectPasskeys(tx: Transaction, identityId: string): Promise<PasskeyRow[]> {
  return tx.rows<PasskeyRow>(sql`
    select ${columns} from directory.passkey where passkey.identity_id = ${identityId}
    order by passkey.created_at, passkey.id`)
}

/** Locks all passkeys of a person in a fixed order, so that two requests cannot remove the last two. */
export function lockPasskeys(tx: Transaction, identityId: string): Promise<PasskeyRow[]> {
  return tx.rows<PasskeyRow>(sql`
    select ${columns} from directory.passkey where passkey.identity_id = ${identityId}
    order by passkey.id for update`)
}

export function findPasskey(tx: Transaction, { identityId, passkeyId }: PasskeyKey): Promise<PasskeyRow | undefined> {
  return tx.row<PasskeyRow>(sql`
    select ${columns} from directory.passkey
    where passkey.identity_id = ${identityId} and passkey.id = ${passkeyId}
    for no key update`)
}

/** Returns false if the passkey is registered already. */
export async function insertPasskey(
  tx: Transaction,
  identityId: string,
  passkey: Pick<PasskeyRow, 'id' | 'publicKey' | 'signCount' | 'transports' | 'name' | 'createdAt'>,
): Promise<boolean> {
  const inserted = await tx.row(sql`
    insert into directory.passkey (identity_id, id, public_key, sign_count, transports, name, created_at)
    values (${identityId}, ${passkey.id}, ${passkey.publicKey}, ${passkey.signCount}, ${passkey.transports},
            ${passkey.name}, ${passkey.createdAt})
    on conflict do nothing
    returning id`)
  return inserted !== undefined
}

export async function recordPasskeyUse(
  tx: Transaction,
  { identityId, passkeyId }: PasskeyKey,
  use: { signCount: number; at: Date },
): Promise<void> {
  await tx.rows(sql`
    update directory.passkey set sign_count = ${use.signCount}, last_used_at = ${use.at}
    where identity_id = ${identityId} and id = ${passkeyId}`)
}

export async function deletePasskey(tx: Transaction, { identityId, passkeyId }: PasskeyKey): Promise<void> {
  await tx.rows(sql`
    delete from directory.passkey where identity_id = ${identityId} and id = ${passkeyId}`)
}

/** Returns false if the challenge was used before. Deletes the person's expired ones. */
export async function useChallenge(
  tx: Transaction,
  identityId: string,
  { bytes, expiresAt }: { bytes: Buffer; expiresAt: Date },
): Promise<boolean> {
  await tx.rows(sql`
    delete from directory.used_challenge where identity_id = ${identityId} and expires_at < now()`)
  const used = await tx.row(sql`
    insert into directory.used_challenge (identity_id, challenge, expires_at)
    values (${identityId}, ${bytes}, ${expiresAt})
    on conflict do nothing
    returning identity_id`)
  return used !== undefined
}

/** Returns how many passkeys the person had. */
export async function deletePasskeys(tx: Transaction, identityId: string): Promise<number> {
  const deleted = await tx.rows(sql`
    delete from directory.passkey where identity_id = ${identityId} returning id`)
  return deleted.length
}
