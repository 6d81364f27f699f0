/** Interventions on a token, see token-action-kinds.ts. Some are not idempotent: a second burn burns again. */
export const tokenActionKinds = ['FREEZE', 'FORCED_TRANSFER', 'BURN', 'PAUSE', 'UNPAUSE', 'SET_CAP'] as const
export type TokenActionKind = (typeof tokenActionKinds)[number]

export const chainOpKinds = [
  'DEPLOY_FACTORY',
  'DEPLOY_DESK',
  'DEPLOY_TOKEN',
  'GRANT_ROLE',
  'REGISTER_WALLETS',
  'UNREGISTER_WALLETS',
  'MINT',
  ...tokenActionKinds,
  'SET_LOCK_UP',
] as const
export type ChainOpKind = (typeof chainOpKinds)[number]

/** Described in advance-op.ts. The first four are open: a worker still advances the op. */
export const chainOpStates = [
  'QUEUED',
  'RESERVED',
  'SIGNED',
  'MINED',
  'FINAL',
  'REVERTED',
  'CANCELLED',
  'ALARM',
] as const
export type ChainOpState = (typeof chainOpStates)[number]

/** Kinds that two persons confirm, like the role that they need, so that one person cannot undo them alone. */
export const twoPersonKinds: readonly ChainOpKind[] = ['GRANT_ROLE', 'SET_LOCK_UP', ...tokenActionKinds]
