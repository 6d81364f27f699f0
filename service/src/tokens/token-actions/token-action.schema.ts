import { type TSchema, type TString, Type } from 'typebox'
import { Named, orNull, Text, Timestamp, Uuid } from '../../platform/api/declare/fields.ts'
import { tokenActionKinds } from '../chain-ops/chain-op.ts'
import {
  type TokenActionMember,
  tokenActionMemberNames,
  tokenActionMembers,
  tokenActions,
} from './token-action-kinds.ts'

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

const listOfKinds = new Intl.ListFormat('en-GB')

/** Describes a member, and says which kinds have it. */
function memberOf(name: TokenActionMember): TString {
  const { meaning, schema } = tokenActionMembers[name]
  const [only, ...others] = tokenActionKinds.filter((kind) => name in tokenActions[kind].members)
  const without = tokenActionKinds.filter((kind) => !(name in tokenActions[kind].members))
  return schema(
    `${meaning}; ${others.length === 0 ? `for ${only} only` : `absent for ${listOfKinds.format(without)}`}.`,
  )
}

/** Builds the schemas of all members that depend on the kind. */
function membersAs<Schema extends TSchema>(schemaOf: (name: TokenActionMember) => Schema) {
  const schemas = tokenActionMemberNames.map((name) => [name, schemaOf(name)])
  return Object.fromEntries(schemas) as Record<TokenActionMember, Schema>
}

const members = {
  kind: Type.Enum(tokenActionKinds, {
    description: `${tokenActionKinds.map((kind) => `\`${kind}\` ${tokenActions[kind].effect}`).join(', ')}.`,
  }),
  reason: Text(1, 500, {
    description: 'Why the action is needed; for the person who confirms it and for the audit log.',
    examples: ['Court order 7/26'],
  }),
}

export const NewTokenAction = Named('NewTokenAction', {
  kind: members.kind,
  ...membersAs((name) => Type.Optional(memberOf(name))),
  reason: members.reason,
})

export const TokenAction = Named('TokenAction', {
  id: Uuid('The token action: the id of its approval.'),
  offering_id: Uuid('The offering of the token.', 'The offering.'),
  offering_name: orNull(Type.String({ description: 'The name of the offering.', examples: ['Harbour Bond'] })),
  kind: members.kind,
  // The example is a FREEZE.
  ...membersAs((name) => orNull(memberOf(name), name in tokenActions.FREEZE.members ? {} : { examples: [null] })),
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
