import { Type } from 'typebox'
import { Uuid } from '../../platform/api/declare/fields.ts'

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

export const Wallet = Type.Object(
  {
    id: Uuid('The wallet.'),
    public_address: Type.String({ examples: ['0x52908400098527886E0F7030069857D2E4169EE7'] }),
    name: Type.String({ examples: ['Main wallet'] }),
    provider: Type.Enum(walletProviders),
    type: Type.Enum(walletTypes),
    status: Type.Enum(walletStatuses),
  },
  { additionalProperties: false, title: 'Wallet' },
)
