import { Type } from 'typebox'
import { orNull, Text, Timestamp, Uuid } from '../../../platform/api/declare/fields.ts'
import { ChallengeMessage, Wallet } from '../wallet.schema.ts'

const closed = { additionalProperties: false }

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

export const OperatorWallet = Type.Object(operatorMembers, { ...closed, title: 'OperatorWallet' })

export const ChallengedWallet = Type.Object(
  {
    ...operatorMembers,
    challenge: ChallengeMessage,
  },
  { ...closed, title: 'ChallengedWallet' },
)

export const Reason = Type.Object(
  {
    reason: Text(1, 1000, {
      description: 'The reason, for the audit log. Do not name a person.',
      examples: ['Key is lost.'],
    }),
  },
  { ...closed, title: 'Reason' },
)
