import { Type } from 'typebox'

/** Asks that the entries of a statement be booked. */
export const statementMatching = {
  name: 'match-statement',
  payload: Type.Object({ tenant_id: Type.String(), statement_id: Type.String() }),
} as const
