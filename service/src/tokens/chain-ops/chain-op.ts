export const chainOpKinds = [
  'DEPLOY_FACTORY',
  'DEPLOY_DESK',
  'DEPLOY_TOKEN',
  'GRANT_ROLE',
  'REGISTER_WALLETS',
  'UNREGISTER_WALLETS',
  'MINT',
  'FREEZE',
  'FORCED_TRANSFER',
  'BURN',
  'PAUSE',
  'UNPAUSE',
  'SET_CAP',
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

/** Chain ops of token actions. Some are not idempotent: a second burn burns again. */
export const tokenActionOpKinds: readonly ChainOpKind[] = [
  'FREEZE',
  'FORCED_TRANSFER',
  'BURN',
  'PAUSE',
  'UNPAUSE',
  'SET_CAP',
]

/** Kinds that two persons confirm, like the role that they need, so that one person cannot undo them alone. */
export const twoPersonKinds: readonly ChainOpKind[] = ['GRANT_ROLE', 'SET_LOCK_UP', ...tokenActionOpKinds]
