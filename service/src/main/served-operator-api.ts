import { serveConsole } from '../access/console/serve-console.ts'
import { servePages } from '../access/sign-in/pages.ts'
import { serveProviderCallback } from '../access/sign-in/provider-callback.ts'
import { serveProviderLogout } from '../access/sign-in/provider-logout.ts'
import { operatorApiDescription } from '../operator-api-description.ts'
import { operatorApiOperations } from '../operator-operations.ts'
import type { ServedApi } from './open-api.ts'

// Uses a separate port, so that it can be restricted to an internal network.
export const servedOperatorApi: ServedApi = {
  name: 'operator-api',
  operationsOf: () => operatorApiOperations,
  description: operatorApiDescription,
  isForIntegrators: false,
  addRoutes: (app, services, { environment }) => {
    servePages(app)
    serveProviderCallback(app, services)
    serveProviderLogout(app, services)
    serveConsole(app, { environment })
  },
  listenOn: ({ operatorHost, operatorPort, operatorBaseUrl }) => ({
    host: operatorHost,
    port: operatorPort,
    publicBaseUrl: operatorBaseUrl,
  }),
}
