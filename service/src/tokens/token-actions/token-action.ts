/** What two people together may do to a token. */
export const tokenActionKinds = ['FREEZE', 'FORCED_TRANSFER', 'BURN', 'PAUSE', 'UNPAUSE'] as const
export type TokenActionKind = (typeof tokenActionKinds)[number]

export function isTokenActionKind(kind: string): kind is TokenActionKind {
  return tokenActionKinds.some((one) => one === kind)
}
