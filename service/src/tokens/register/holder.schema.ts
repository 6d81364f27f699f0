import { Type } from 'typebox'
import { Named, orNull, Timestamp, Units, Uuid } from '../../platform/api/declare/fields.ts'

export const BlockNumberOf = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [23_000_000] })

const who = {
  address: Type.String({ examples: ['0x52908400098527886E0F7030069857D2E4169EE7'] }),
  wallet_id: orNull(Uuid('The wallet with this address, if it is registered.', 'The wallet.')),
  account_id: orNull(Uuid('The account of the wallet.', 'The account.')),
  name: orNull(Type.String({ description: 'The name of the investor.', examples: ['Ada Lovelace'] })),
}

export const Holder = Named('Holder', {
  ...who,
  units: Units('Units after that block.'),
  percent: orNull(
    Type.String({
      description: 'Share of all units, in percent, rounded to six decimal places.',
      examples: ['12.5'],
    }),
  ),
  frozen_units: Units('How many of the units are frozen. Can be more than the holder has.', '0'),
  since: orNull(Timestamp('Since when the holder has had units without interruption.')),
})

const ChangeOfUnits = Type.String({
  pattern: '^-?[1-9][0-9]*$',
  description: 'The difference, negative if the holder has fewer units.',
  examples: ['-1000000000'],
})

export const RegisterChange = Named('RegisterChange', {
  ...who,
  units_before: Units('Units at the start.'),
  units_after: Units('Units at the end.'),
  change: ChangeOfUnits,
})
