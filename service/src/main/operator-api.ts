import { operatorApiDescription } from '../operator-api-description.ts'
import { operatorOperations } from '../operator-operations.ts'
import { serve } from './serve.ts'

// On a separate port, so that it can be restricted to an internal network.
await serve({
  name: 'operator-api',
  operationsOf: () => operatorOperations,
  description: operatorApiDescription,
  isForIntegrators: false,
  listenOn: ({ operatorHost, operatorPort, operatorBaseUrl }) => ({
    host: operatorHost,
    port: operatorPort,
    publicBaseUrl: operatorBaseUrl,
  }),
})
