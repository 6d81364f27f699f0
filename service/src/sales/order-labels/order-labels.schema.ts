import { Type } from 'typebox'
import { Named, Uuid } from '../../platform/api/declare/fields.ts'

/** Labels to show instead of an order's ids, in lists of rows that refer to orders. */
export const OrderLabels = Named('OrderNames', {
  payment_reference: Type.String({ description: 'The reference of the order.', examples: ['RF18539007547034'] }),
  account_id: Uuid('The account of the investor.', 'The account.'),
  account_name: Type.String({ description: 'The investor.', examples: ['Ada Lovelace'] }),
  offering_id: Uuid('The offering.'),
  offering_name: Type.String({ examples: ['Harbour Bond'] }),
})
