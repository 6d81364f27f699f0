import { Type } from 'typebox'
import { Named, orNull, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { tokenActionKinds } from '../chain-ops/chain-op.ts'

/** States of an action: first of its approval, then of its chain op. */
export const tokenActionStates = [
  'pending',
  'rejected',
  'withdrawn',
  'expired',
  'executing',
  'executed',
  'reverted',
  'cancelled',
  'alarm',
] as const

export const TokenActionPath = Type.Object({ actionId: Uuid('The token action: the id of its approval.') })

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
      '`FREEZE` freezes units of a wallet (0 unfreezes all of them), `FORCED_TRANSFER` moves units to another ' +
      'wallet, `BURN` destroys units, `PAUSE` stops all transfers and mints of the token, `UNPAUSE` allows them ' +
      'again, `SET_CAP` changes the largest supply of the token, which is at first the `total_units` of the offering.',
  }),
  wallet_address: ChainAddress('The wallet whose units are affected; absent for PAUSE, UNPAUSE and SET_CAP.'),
  to_address: ChainAddress('The recipient; for FORCED_TRANSFER only.'),
  units: Type.String({
    pattern: '^(0|[1-9][0-9]{0,77})$',
    maxLength: 78,
    format: 'uint256',
    'x-meaning': 'be a whole number as a string of digits without a leading zero, in the smallest token unit',
    description: 'The number of units, in the smallest token unit; absent for PAUSE and UNPAUSE.',
    examples: ['100000000'],
  }),
  reason: Text(1, 500, {
    description: 'Why the action is needed; for the person who confirms it and for the audit log.',
    examples: ['Court order 7/26'],
  }),
}

export const NewTokenAction = Named('NewTokenAction', {
  kind: members.kind,
  wallet_address: Type.Optional(members.wallet_address),
  to_address: Type.Optional(members.to_address),
  units: Type.Optional(members.units),
  reason: members.reason,
})

export const TokenAction = Named('TokenAction', {
  id: Uuid('The token action: the id of its approval.'),
  offering_id: Uuid('The offering of the token.', 'The offering.'),
  offering_name: orNull(Type.String({ description: 'The name of the offering.', examples: ['Harbour Bond'] })),
  kind: members.kind,
  wallet_address: orNull(members.wallet_address),
  to_address: orNull(members.to_address, { examples: [null] }),
  units: orNull(members.units),
  reason: members.reason,
  state: Type.Enum(tokenActionStates, {
    description:
      'While it waits for a second person: `pending`; then `rejected`, `withdrawn`, `expired` (not decided before ' +
      '`expires_at`), or what became of its chain op: `executing`, `executed` (the op is `FINAL`), `reverted`, ' +
      '`cancelled`, or `alarm`.',
  }),
  proposed_by: Uuid('The user who proposed it.', 'The user.'),
  proposed_by_name: orNull(Type.String({ description: 'Their name.', examples: ['Grace Hopper'] })),
  proposed_at: Timestamp('When it was proposed.'),
  expires_at: Timestamp('It can be confirmed until then.'),
  decided_by: orNull(Uuid('The user who confirmed, rejected or withdrew it.'), { examples: [null] }),
  decided_by_name: orNull(Type.String({ description: 'Their name.' }), { examples: [null] }),
  decided_at: orNull(Timestamp('When it was decided.'), { examples: [null] }),
  chain_op_id: orNull(Uuid('The chain op that executes it.', 'The chain op.'), { examples: [null] }),
})
