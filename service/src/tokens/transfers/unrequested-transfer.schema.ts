import { Type } from 'typebox'
import { Named, orNull, Text, Timestamp, Units, Uuid } from '../../platform/api/declare/fields.ts'

export const UnrequestedTransferPath = Type.Object({ unrequestedTransferId: Uuid('The unrequested transfer.') })

const Address = (description: string) =>
  Type.String({ description, examples: ['0x52908400098527886E0F7030069857D2E4169EE7'] })

const Verdict = Type.Enum(['accepted', 'reported'] as const, {
  description: '`accepted`: it is in order. `reported`: it breaks a rule, and was reported to whom it concerns.',
})

const Note = Text(1, 500, {
  description: 'Why, for the audit log. Must not contain personal data.',
  examples: ['A sale whose contract was handed in later.'],
})

export const UnrequestedTransfer = Named('UnrequestedTransfer', {
  id: Uuid('The unrequested transfer.'),
  offering_id: Uuid('The offering.'),
  offering_name: Type.String({ description: 'The name of the offering.', examples: ['Harbour Bond'] }),
  decimals: Type.Integer({ minimum: 0, maximum: 18, description: 'Of the token.', examples: [8] }),
  sender_name: orNull(Type.String({ description: 'The name of `sender_account_id`.', examples: ['Ada Lovelace'] })),
  receiver_name: orNull(Type.String({ description: 'The name of `receiver_account_id`.', examples: ['Grace Hopper'] })),
  from_address: Address('The address that sent the units.'),
  to_address: Address('The address that got the units.'),
  sender_account_id: orNull(Uuid('The account of `from_address`; null if no account has it.')),
  receiver_account_id: orNull(Uuid('The account of `to_address`; null if no account has it.')),
  units: Units('The units that moved, in the smallest token unit.'),
  transaction_hash: Type.String({
    description: 'The transaction on the chain.',
    examples: ['0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060'],
  }),
  moved_at: Timestamp('The time of its block.'),
  breaches: Type.Array(Type.String(), {
    description:
      'The rules that it broke when it was found: `sender_unknown`, `receiver_unknown`, `locked_up`, or the code ' +
      'of a rule of the offering such as `country_not_allowed`.',
    examples: [['locked_up']],
  }),
  verdict: orNull(Verdict, { examples: [null] }),
  note: orNull(Note, { examples: [null] }),
  judged_at: orNull(Timestamp('When an operator judged it.'), { examples: [null] }),
})

export const TransferJudgement = Named('TransferJudgement', { verdict: Verdict, note: Note })
