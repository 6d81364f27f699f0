/** Interventions on a token, which one user proposes and another confirms. */
export const tokenActionKinds = ['FREEZE', 'FORCED_TRANSFER', 'BURN', 'PAUSE', 'UNPAUSE', 'SET_CAP'] as const
export type TokenActionKind = (typeof tokenActionKinds)[number]
