import type { PacedChain } from './paced-chain.ts'
import type { RunningApi, TestInstallation } from './service.ts'

/** Starts all processes of an installation, which serves this chain as `anvil`. Returns its APIs. */
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
