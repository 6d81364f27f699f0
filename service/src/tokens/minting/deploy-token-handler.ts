import type { ChainOpHandler } from '../chain-ops/chain-op-handler.ts'
import { enqueueAgain } from '../chain-ops/enqueue-again.ts'
import { markTokenDeployed } from './offering-token.sql.ts'

export const deployTokenHandler: ChainOpHandler = {
  followsUnfinalized: true,
  isAwaited: true,
  onFinal: markTokenDeployed,
  retry: enqueueAgain,
}
