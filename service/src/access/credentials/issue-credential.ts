import type { Scope } from '../../platform/api/declare/scopes.ts'
import type { VersionName } from '../../platform/api/server/versions.ts'
import { newId } from '../../platform/base/ids.ts'
import type { KeyRing } from '../../platform/base/key-ring.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { insertCredential, insertSecret } from './credential.sql.ts'
import { newSecret, sealSecret } from './credential-secret.ts'

export interface IssuedCredential {
  clientId: string
  /** Shown once: only its HMAC is kept. */
  clientSecret: string
}

/** A new credential of a tenant, with its first secret. */
export async function issueCredential(
  tx: Transaction,
  peppers: KeyRing,
  wanted: {
    tenantId: string
    name: string
    scopes: readonly Scope[]
    defaultVersion: VersionName | null
    requestsPerMinute: number
  },
): Promise<IssuedCredential> {
  const clientId = newId()
  const clientSecret = newSecret()
  await insertCredential(tx, { ...wanted, clientId })
  await insertSecret(tx, { tenantId: wanted.tenantId, clientId, ...sealSecret(peppers, clientSecret) })
  return { clientId, clientSecret }
}
