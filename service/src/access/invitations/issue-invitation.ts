import type { KeyRing } from '../../platform/base/key-ring.ts'
import type { Transaction } from '../../platform/postgres/transaction.ts'
import { hashSecret } from '../credentials/credential-secret.ts'
import { newOperatorSecret } from '../credentials/operator-secret.ts'
import type { UserKey } from '../users/user.sql.ts'
import { type InvitationRow, insertInvitation } from './invitation.sql.ts'

const validMs: Record<InvitationRow['kind'], number> = { invitation: 7 * 86_400_000, break_glass: 3_600_000 }

/** Creates a one-time link. Its secret is in the fragment, which browsers do not send and servers do not log. */
export async function issueInvitation(
  tx: Transaction,
  peppers: KeyRing,
  { operatorUrl, now, ...invitation }: UserKey & Pick<InvitationRow, 'kind'> & { operatorUrl: string; now: Date },
): Promise<{ link: string; expiresAt: Date }> {
  const { id, secret } = newOperatorSecret('invitation')
  const expiresAt = new Date(now.getTime() + validMs[invitation.kind])
  await insertInvitation(tx, { ...invitation, id, ...hashSecret(peppers, secret), expiresAt })
  return { link: `${operatorUrl}/console/invitation#${secret}`, expiresAt }
}
