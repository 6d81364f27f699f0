import { Type } from 'typebox'
import { Named, orNull } from '../../platform/api/declare/fields.ts'

/** The payer in full, for operations with the duty `personal`. */
export const RevealedPayer = Named('RevealedPayer', {
  payer_name: orNull(Type.String({ examples: ['Ada Lovelace'] })),
  payer_iban: orNull(Type.String({ examples: ['DE02120300000000202051'] })),
})
