import { newId } from '../../platform/base/ids.ts'
import type { KeyRing } from '../../platform/base/key-ring.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { insertCredential, insertSecret, type NewCredentialRow } from './credential.sql.ts'
import { hashSecret, newSecret } from './credential-secret.ts'
import { requireCredentialRoom } from './require-credential-room.ts'

export interface IssuedCredential {
  clientId: string
  /** Shown once; only its HMAC is stored. */
  clientSecret: string
}

/** Issues a credential with its first secret, within the limits of the tenant. */
export async function issueCredential(
  tx: Transaction,
  peppers: KeyRing,
  credential: Omit<NewCredentialRow, 'clientId'>,
): Promise<IssuedCredential> {
  await requireCredentialRoom(tx, credential)
  const clientId = newId()
  const clientSecret = newSecret()
  await insertCredential(tx, { ...credential, clientId })
  await insertSecret(tx, { tenantId: credential.tenantId, clientId, ...hashSecret(peppers, clientSecret) })
  return { clientId, clientSecret }
}
