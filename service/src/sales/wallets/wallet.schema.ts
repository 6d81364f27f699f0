import { Type } from 'typebox'
import { Named, orNull, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { blockchains, nativeChains } from './blockchains.ts'

export const walletProviders = [
  'METAMASK',
  'WALLETCONNECT',
  'FIREBLOCKS',
  'CONCORDIUM',
  'MAGIC_LINK',
  'STELLAR',
] as const
export const walletTypes = ['BROWSER_WALLET', 'MOBILE_WALLET', 'POINT_WALLET'] as const
export const walletStatuses = ['ACTIVE', 'INACTIVE', 'SUSPENDED', 'PENDING', 'EXPIRED'] as const

export const WalletPath = Type.Object({ accountId: Uuid('The account.'), walletId: Uuid('The wallet.') })

export const Wallet = Named('Wallet', {
  id: Uuid('The wallet.'),
  public_address: Type.String({ examples: ['0x52908400098527886E0F7030069857D2E4169EE7'] }),
  name: Type.String({ examples: ['Main wallet'] }),
  provider: Type.Enum(walletProviders),
  type: Type.Enum(walletTypes),
  status: Type.Enum(walletStatuses),
})

export const ChallengeMessage = orNull(
  Type.String({
    description:
      'The EIP-4361 message that the owner signs unchanged with the key of the address; null for Stellar and ' +
      'Concordium, which the service does not serve.',
    examples: ['example.com wants you to sign in with your Ethereum account:\n0x52908400098527886E0F70300…'],
  }),
)

/** A wallet whose owner has to sign, for integrators. */
export const WalletChallenge = Named('WalletChallenge', {
  ...Wallet.properties,
  account_id: Uuid('The account.'),
  blockchain: Type.String({ description: 'The chain of the address.', examples: ['ethereum'] }),
  challenge: ChallengeMessage,
  challenge_expires_at: orNull(Timestamp('Until when the signature must arrive at `prove`; null without a challenge.')),
})

// A multisignature wallet concatenates the signatures of its owners, and a signature by passkey takes some 700 bytes.
const signatureLengthMax = 2 + 2 * 8192

export const NewWallet = Named('NewWallet', {
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
  provider: Type.Enum(walletProviders),
  type: Type.Enum(walletTypes),
})

export const WalletProof = Named('WalletProof', {
  message: Text(1, 4000, {
    description: 'The challenge that the owner signed.',
    examples: ['example.com wants you to sign in with your Ethereum account:\n0x52908400098527886E0F70300…'],
  }),
  signature: Type.String({
    pattern: '^0x([0-9a-fA-F]{2})*$',
    maxLength: signatureLengthMax,
    'x-meaning': 'be 0x and whole bytes as hexadecimal digits',
    description:
      'The EIP-191 signature (personal_sign) of the message: 65 bytes of a key, or what a contract wallet accepts ' +
      '(EIP-1271).',
    examples: [`0x${'5a'.repeat(65)}`],
  }),
})
