import type { RunningApi } from '../installation/running-api.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import type { PacedChain } from './paced-chain.ts'

/** Starts all processes of an installation inside the test, with this chain as `anvil`. Returns its APIs. */
export async function startAllProcesses(
  installation: TestInstallation,
  chain: PacedChain,
): Promise<{ api: RunningApi; operatorApi: RunningApi }> {
  const settings = { CHAINS: `anvil=${chain.url}` }
  const [api, operatorApi] = await Promise.all([
    installation.startApi(settings),
    installation.startOperatorApi(),
    installation.startWorker(settings),
    installation.startIndexer(settings),
  ])
  return { api, operatorApi }
}
