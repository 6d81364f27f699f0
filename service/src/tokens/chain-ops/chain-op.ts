/** What can be asked of a chain. */
export const chainOpKinds = [
  'DEPLOY_FACTORY',
  'DEPLOY_DESK',
  'DEPLOY_TOKEN',
  'GRANT_ROLE',
  'REGISTER_WALLETS',
  'MINT',
  'FREEZE',
  'FORCED_TRANSFER',
  'BURN',
  'PAUSE',
  'UNPAUSE',
] as const

/**
 * How far it has come. QUEUED: nothing has happened. RESERVED: it has its number, for ever. SIGNED: bytes are stored
 * and may be anywhere. MINED: they are in a block that may still vanish. Then one of the ends.
 */
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
