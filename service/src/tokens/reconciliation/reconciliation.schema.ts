import { type Static, Type } from 'typebox'
import { Named, orNull, Timestamp, Units, Uuid } from '../../platform/api/declare/fields.ts'

/** All figures are as of one block. */
const Figures = Named('ReconciliationFigures', {
  block: Type.Integer({
    minimum: 0,
    description: 'The last finalized block that was indexed.',
    examples: [23_000_000],
  }),
  supply_on_chain: Units('What the token says.'),
  supply_in_log: Units('Minted minus burned units in the log.'),
  minted: Units('All minted units in the log.'),
  minted_for_orders: Units('Those that were minted for an order.'),
  issued_units: Units('Issued units of the offering.'),
  units_of_minted_orders: Units('Units of its MINTED orders.'),
  holders: Type.Integer({
    minimum: 0,
    description: 'Addresses that were compared: all that ever held units.',
    examples: [412],
  }),
})
export type ReconciliationFigures = Static<typeof Figures>

export const LastReconciliation = Named('LastReconciliation', {
  offering_id: Uuid('The offering.'),
  state: Type.Enum(['none', 'requested', 'equal', 'different', 'failed'] as const, {
    description:
      '`requested`: a worker has not made the requested comparison yet; the figures are those of the one before. ' +
      '`failed`: the chain could not be read, see `problem`.',
    examples: ['equal'],
  }),
  requested_at: orNull(Timestamp('When an operator last asked for a comparison.')),
  compared_at: orNull(Timestamp('When the token was last compared with its chain.')),
  figures: orNull(Figures),
  differences: Type.Array(Type.String(), {
    description: 'What does not match. A difference stops minting until an operator accepts it.',
    examples: [[]],
  }),
  problem: orNull(Type.String({ description: 'Why the requested comparison was not possible.' }), {
    examples: [null],
  }),
})
