/** Interventions on a token, which one user proposes and another confirms. */
export const tokenActionKinds = ['FREEZE', 'FORCED_TRANSFER', 'BURN', 'PAUSE', 'UNPAUSE', 'SET_CAP'] as const
export type TokenActionKind = (typeof tokenActionKinds)[number]

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
