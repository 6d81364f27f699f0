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
export type TokenActionState = (typeof tokenActionStates)[number]
