import { operatorApiDescription } from '../operator-api-description.ts'
import { operatorOperations } from '../operator-operations.ts'
import { serve } from './serve.ts'

// On a port of its own, so that a network can keep it inside.
await serve({
  name: 'operator-api',
  operationsOf: () => operatorOperations,
  description: operatorApiDescription,
  keepsRequests: false,
  listenOn: ({ operatorHost, operatorPort }) => ({ host: operatorHost, port: operatorPort, publicBaseUrl: undefined }),
})
