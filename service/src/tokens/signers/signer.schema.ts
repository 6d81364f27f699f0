import { Type } from 'typebox'
import { CalendarDate, Named, orNull, Timestamp } from '../../platform/api/declare/fields.ts'

const ChainName = Type.String({ description: 'The name of the chain.', examples: ['sepolia'] })
const AnAddress = (description: string) =>
  Type.String({ description, examples: ['0x52908400098527886E0F7030069857D2E4169EE7'] })
const Wei = (description: string) =>
  Type.String({ pattern: '^(0|[1-9][0-9]*)$', description, examples: ['250000000000000000'] })
const Nonce = (description: string) => Type.Integer({ minimum: 0, description, examples: [42] })

export const SignerStatus = Named('SignerStatus', {
  chain: ChainName,
  address: AnAddress('The address that signs for the tenant and pays for gas.'),
  key_backend: Type.String({ description: 'Where the key is.', examples: ['sealed'] }),
  desk_address: AnAddress('The mint desk.'),
  admin_address: AnAddress('The admin of the desk and of new tokens.'),
  next_nonce: Nonce('The nonce of the next transaction that a worker signs.'),
  nonce_latest: orNull(Nonce('Transactions in blocks, as the node says.')),
  nonce_pending: orNull(
    Nonce('The same with those that wait in the node. Less than `next_nonce`: some are not sent or were dropped.'),
  ),
  balance_wei: orNull(Wei('The balance for gas.')),
  spent_wei_7_days: Wei('What the transactions that became final in the last seven days cost.'),
  days_left: orNull(
    Type.Integer({
      minimum: 0,
      description: 'How long the balance lasts if each day costs as much as the last seven. Null if they cost nothing.',
      examples: [31],
    }),
  ),
  checked_at: orNull(Timestamp('When a worker last asked the node. Null: never.')),
})

export const SignerStatuses = Named('SignerStatuses', { results: Type.Array(SignerStatus, { maxItems: 100 }) })

export const gasDaysMax = 366

export const GasDay = Named('GasDay', {
  chain: ChainName,
  day: CalendarDate('The UTC day on which the transactions became final.'),
  spent_wei: Wei('What they cost.'),
  transaction_count: Type.Integer({ minimum: 1, examples: [12] }),
})

export const GasDays = Named('GasDays', {
  results: Type.Array(GasDay, { description: 'Newest first. Days without transactions are left out.' }),
})
