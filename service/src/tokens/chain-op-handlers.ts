import type { ChainOpHandlers } from './chain-ops/chain-op-handler.ts'
import { enqueueAgain } from './chain-ops/enqueue-again.ts'
import { setLockUpHandler } from './lock-up/set-lock-up-handler.ts'
import { mintHandler } from './minting/mint-handler.ts'
import { markTokenDeployed } from './minting/offering-token.sql.ts'
import { registerWalletsHandler, unregisterWalletsHandler } from './registration-handlers.ts'
import { deployDeskHandler, deployFactoryHandler } from './signers/tenant-contracts.ts'
import { tokenActionHandlers } from './token-actions/token-action-handlers.ts'
import { forcedTransferHandler } from './transfers/forced-transfer-handler.ts'

/** All kinds of chain ops, and their effects at the end. To add a kind: chain-op.ts, and a line here. */
export const chainOpHandlers: ChainOpHandlers = {
  DEPLOY_FACTORY: deployFactoryHandler,
  DEPLOY_DESK: deployDeskHandler,
  DEPLOY_TOKEN: { followsUnfinalized: true, isAwaited: true, onFinal: markTokenDeployed, retry: enqueueAgain },
  REGISTER_WALLETS: registerWalletsHandler,
  UNREGISTER_WALLETS: unregisterWalletsHandler,
  MINT: mintHandler,
  GRANT_ROLE: { retry: enqueueAgain },
  ...tokenActionHandlers,
  FORCED_TRANSFER: forcedTransferHandler,
  SET_LOCK_UP: setLockUpHandler,
}
