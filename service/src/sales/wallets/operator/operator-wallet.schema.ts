import { Type } from 'typebox'
import { Named, orNull, Text, Timestamp, Uuid } from '../../../platform/api/declare/fields.ts'
import { ChallengeMessage, Wallet } from '../wallet.schema.ts'

const { id, public_address, name, provider, type, status } = Wallet.properties

const operatorMembers = {
  id,
  account_id: Uuid('The account.'),
  public_address,
  blockchain: Type.String({ description: 'The chain of the address.', examples: ['ethereum'] }),
  name,
  provider,
  type,
  status,
  challenge_expires_at: orNull(Timestamp('When the challenge expires; null if none is open.')),
  proven_at: orNull(Timestamp('When the owner last proved ownership; null if the owner has to prove it (again).')),
  created_at: Timestamp('When the wallet was registered.'),
}

export const OperatorWallet = Named('OperatorWallet', operatorMembers)

export const ChallengedWallet = Named('ChallengedWallet', {
  ...operatorMembers,
  challenge: ChallengeMessage,
})

export const Reason = Named('Reason', {
  reason: Text(1, 1000, {
    description: 'The reason, for the audit log. Do not name a person.',
    examples: ['Key is lost.'],
  }),
})
