import { apiDescription } from '../api-description.ts'
import { operations } from '../operations.ts'
import { labOf } from '../simulations/lab.ts'
import { simulationOperations } from '../simulations/simulation-operations.ts'
import { serve } from './serve.ts'

await serve({
  name: 'api',
  operationsOf: (config) =>
    config.environment === 'development' ? [...operations, ...simulationOperations(labOf(config))] : operations,
  description: apiDescription,
  keepsRequests: true,
  listenOn: (config) => config,
})
