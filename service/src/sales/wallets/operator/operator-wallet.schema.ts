import { Type } from 'typebox'
import { orNull, Text, Timestamp, Uuid } from '../../../platform/api/declare/fields.ts'
import { blockchains } from '../blockchains.ts'
import { nativeChains } from '../native-address.ts'
import { Wallet } from '../wallet.schema.ts'

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
    challenge: orNull(
      Type.String({
        description:
          'The EIP-4361 message that the owner signs unchanged with the key of the address; null for Stellar and ' +
          'Concordium, which the service does not serve.',
        examples: ['example.com wants you to sign in with your Ethereum account:\n0x52908400098527886E0F70300…'],
      }),
    ),
  },
  { ...closed, title: 'ChallengedWallet' },
)

export const NewWallet = Type.Object(
  {
    public_address: Text(1, 100, {
      description:
        'The address in the form of its chain: 0x and 40 hexadecimal digits, in lower case or with an EIP-55 ' +
        'checksum; for STELLAR the public key G…; for CONCORDIUM the base58 address.',
      examples: ['0x52908400098527886E0F7030069857D2E4169EE7'],
    }),
    blockchain: Type.Optional(
      Type.Enum([...blockchains, ...nativeChains], {
        description: 'The chain of the address. Defaults to ethereum, or to the chain of STELLAR and CONCORDIUM.',
      }),
    ),
    name: Text(1, 100, { examples: ['Main wallet'] }),
    provider,
    type,
  },
  { ...closed, title: 'NewWallet' },
)

export const WalletProof = Type.Object(
  {
    message: Text(1, 4000, {
      description: 'The challenge that the owner signed.',
      examples: ['example.com wants you to sign in with your Ethereum account:\n0x52908400098527886E0F70300…'],
    }),
    signature: Type.String({
      pattern: '^0x[0-9a-fA-F]{130}$',
      'x-meaning': 'be 0x and 130 hexadecimal digits',
      description: 'The EIP-191 signature (personal_sign) of the message.',
      examples: [`0x${'5a'.repeat(65)}`],
    }),
  },
  { ...closed, title: 'WalletProof' },
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
