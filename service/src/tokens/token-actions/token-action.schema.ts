import { Type } from 'typebox'
import { orNull, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { tokenActionKinds } from './token-action.ts'

const closed = { additionalProperties: false }

export const tokenActionStates = ['proposed', 'confirmed', 'rejected', 'expired'] as const

export const TokenActionPath = Type.Object({ actionId: Uuid('The token action.') })

const ChainAddress = (description: string) =>
  Type.String({
    pattern: '^0x[0-9a-fA-F]{40}$',
    'x-meaning': 'be 0x and 40 hexadecimal digits',
    description,
    examples: ['0x52908400098527886E0F7030069857D2E4169EE7'],
  })

const members = {
  kind: Type.Enum(tokenActionKinds, {
    description:
      '`FREEZE` withholds so many units of a wallet (0 releases all of them), `FORCED_TRANSFER` moves units to ' +
      'another wallet, `BURN` destroys them, `PAUSE` and `UNPAUSE` are about all transfers and mints of the token.',
  }),
  wallet_address: ChainAddress('Whose units it is about; not for PAUSE and UNPAUSE.'),
  to_address: ChainAddress('Where a FORCED_TRANSFER goes.'),
  units: Type.String({
    pattern: '^(0|[1-9][0-9]{0,77})$',
    maxLength: 78,
    format: 'uint256',
    'x-meaning': 'be a whole number as a string of digits without a leading zero, in the smallest token unit',
    description: 'How many, in the smallest token unit; not for PAUSE and UNPAUSE.',
    examples: ['100000000'],
  }),
  reason: Text(1, 500, {
    description: 'Why; for the second person and the audit log.',
    examples: ['Court order 7/26'],
  }),
}

export const NewTokenAction = Type.Object(
  {
    kind: members.kind,
    wallet_address: Type.Optional(members.wallet_address),
    to_address: Type.Optional(members.to_address),
    units: Type.Optional(members.units),
    reason: members.reason,
  },
  { ...closed, title: 'NewTokenAction' },
)

export const TokenAction = Type.Object(
  {
    id: Uuid('The token action.'),
    offering_id: Uuid('The offering whose token it is about.', 'The offering.'),
    kind: members.kind,
    wallet_address: orNull(members.wallet_address),
    to_address: orNull(members.to_address, { examples: [null] }),
    units: orNull(members.units),
    reason: members.reason,
    state: Type.Enum(tokenActionStates, { description: '`expired`: nobody has decided in time.' }),
    proposed_by: Uuid('Who has proposed it.', 'The admin.'),
    decided_by: orNull(Uuid('Who has confirmed or rejected it.'), { examples: [null] }),
    decided_at: orNull(Timestamp('When that was.'), { examples: [null] }),
    chain_op_id: orNull(Uuid('What carries it out.', 'The chain op.'), { examples: [null] }),
    created_at: Timestamp('When it was proposed.'),
    expires_at: Timestamp('Until when it can be confirmed.'),
  },
  { ...closed, title: 'TokenAction' },
)
