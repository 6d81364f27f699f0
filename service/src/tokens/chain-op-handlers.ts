import { capSetBy } from './chain/contracts.ts'
import type { ChainOpHandlers } from './chain-ops/chain-op-handler.ts'
import { enqueueAgain } from './chain-ops/enqueue-again.ts'
import { setLockUpHandler } from './lock-up/set-lock-up-handler.ts'
import { mintHandler } from './minting/mint-handler.ts'
import { markTokenDeployed, resumeMintingAfterPause, setTokenCap } from './minting/offering-token.sql.ts'
import { registerWalletsHandler, unregisterWalletsHandler } from './registration-handlers.ts'
import { deployDeskHandler, deployFactoryHandler } from './signers/tenant-contracts.ts'
import { rejectRetry } from './token-actions/reject-retry.ts'
import { forcedTransferHandler } from './transfers/forced-transfer-handler.ts'

/** All kinds of chain ops, and their effects at the end. To add a kind: chain-op.ts, a migration, and a line here. */
export const chainOpHandlers: ChainOpHandlers = {
  DEPLOY_FACTORY: deployFactoryHandler,
  DEPLOY_DESK: deployDeskHandler,
  DEPLOY_TOKEN: { followsUnfinalized: true, isAwaited: true, onFinal: markTokenDeployed, retry: enqueueAgain },
  REGISTER_WALLETS: registerWalletsHandler,
  UNREGISTER_WALLETS: unregisterWalletsHandler,
  MINT: mintHandler,
  GRANT_ROLE: { retry: enqueueAgain },
  FREEZE: { retry: rejectRetry },
  FORCED_TRANSFER: forcedTransferHandler,
  BURN: { retry: rejectRetry },
  // Minting stops when the pause is enqueued (enqueueTokenAction), so it resumes if the pause does not happen.
  PAUSE: { onFailed: resumeMintingAfterPause, retry: rejectRetry },
  UNPAUSE: { onFinal: resumeMintingAfterPause, retry: rejectRetry },
  // Stored once it is FINAL: the units that an offering may sell are compared with the cap on the chain.
  SET_CAP: { onFinal: (tx, op) => setTokenCap(tx, op, capSetBy(op.data)), retry: rejectRetry },
  SET_LOCK_UP: setLockUpHandler,
}
