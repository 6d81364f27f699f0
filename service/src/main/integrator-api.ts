import { apiDescription } from '../api-description.ts'
import { operations } from '../operations.ts'
import { simulationOperations } from '../simulations/simulation-operations.ts'
import { testChainsOf } from '../simulations/test-chains.ts'
import type { ServedApi } from './open-api.ts'

export const integratorApi: ServedApi = {
  name: 'api',
  operationsOf: (config) =>
    config.environment === 'development' ? [...operations, ...simulationOperations(testChainsOf(config))] : operations,
  description: apiDescription,
  isForIntegrators: true,
  listenOn: (config) => config,
}
