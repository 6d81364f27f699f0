import type { ChainOpHandlers } from './chain-ops/chain-op-handler.ts'
import { setLockUpHandler } from './lock-up/set-lock-up-handler.ts'
import { deployTokenHandler } from './minting/deploy-token-handler.ts'
import { mintHandler } from './minting/mint-handler.ts'
import { registerWalletsHandler, unregisterWalletsHandler } from './registration-handlers.ts'
import { deployDeskHandler, deployFactoryHandler } from './signers/tenant-contracts.ts'
import {
  grantRoleHandler,
  pauseHandler,
  setCapHandler,
  tokenActionHandler,
  unpauseHandler,
} from './token-actions/token-action-handlers.ts'
import { forcedTransferHandler } from './transfers/forced-transfer-handler.ts'

/** All kinds of chain ops, and their effects at the end. To add a kind: chain-op.ts, a migration, and a line here. */
export const chainOpHandlers: ChainOpHandlers = {
  DEPLOY_FACTORY: deployFactoryHandler,
  DEPLOY_DESK: deployDeskHandler,
  DEPLOY_TOKEN: deployTokenHandler,
  REGISTER_WALLETS: registerWalletsHandler,
  UNREGISTER_WALLETS: unregisterWalletsHandler,
  MINT: mintHandler,
  GRANT_ROLE: grantRoleHandler,
  FREEZE: tokenActionHandler,
  FORCED_TRANSFER: forcedTransferHandler,
  BURN: tokenActionHandler,
  PAUSE: pauseHandler,
  UNPAUSE: unpauseHandler,
  SET_CAP: setCapHandler,
  SET_LOCK_UP: setLockUpHandler,
}
