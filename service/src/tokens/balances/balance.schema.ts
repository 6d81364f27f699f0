import { Type } from 'typebox'
import { Named, orNull, Timestamp, Units, Uuid } from '../../platform/api/declare/fields.ts'

export const transactionTypes = ['MINT', 'SEND', 'RECEIVE', 'TRANSFER'] as const
export const transactionStatuses = ['confirmed', 'pending'] as const

const walletAddress = '0x52908400098527886E0F7030069857D2E4169EE7'

const keys = {
  account_id: Uuid('The account.'),
  wallet_id: Uuid('The wallet.'),
  wallet_address: Type.String({ examples: [walletAddress] }),
  offering_id: Uuid('The offering whose token it is.', 'The offering.'),
}

const Decimals = Type.Integer({ minimum: 0, maximum: 18, examples: [8] })

export const WalletBalance = Named('WalletBalance', {
  ...keys,
  name: Type.String({
    description: 'Name of the offering, in the requested language if there is a translation.',
    examples: ['Harbour Bond 2031'],
  }),
  logo: Type.String({ description: 'Empty if there is none.', examples: [''] }),
  symbol: Type.String({ examples: ['HARB'] }),
  decimals: Decimals,
  balance: Units('Units of the wallet; confirmed transactions only.'),
})

export const TokenTransaction = Named('Transaction', {
  id: Uuid('The transaction.'),
  ...keys,
  name: Type.String({ description: 'Name of the offering.', examples: ['Harbour Bond 2031'] }),
  symbol: Type.String({ examples: ['HARB'] }),
  decimals: Decimals,
  transaction_type: Type.Enum(transactionTypes, {
    description:
      'Seen from the account: TRANSFER is between two of its wallets; SEND and RECEIVE involve another address.',
  }),
  transaction_hash: Type.String({ examples: [`0x${'ab'.repeat(32)}`] }),
  units: Units('The transferred units.'),
  status: Type.Enum(transactionStatuses, { description: 'pending until its block is finalized.' }),
  tx_from: orNull(Type.String({ description: 'null for a mint.' }), { examples: [null] }),
  tx_to: Type.String({ examples: [walletAddress] }),
  block_timestamp: Timestamp('Time of its block.'),
})
