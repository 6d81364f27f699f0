import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../../base/config.ts'
import { addTo } from '../../base/counts.ts'
import { familyOf, networkList } from '../../base/network-list.ts'
import { headerBytesMax } from '../../base/transport.ts'
import { networkOf } from '../rate-limit/network.ts'
import type { Exchanges } from './exchanges.ts'

export type ConnectionLimits = Pick<
  Config,
  | 'trustedProxies'
  | 'connectionsMax'
  | 'connectionsPerAddressMax'
  | 'requestsPerConnectionMax'
  | 'requestTimeoutMs'
  | 'uploadTimeoutMs'
  | 'responseTimeoutMs'
>

/**
 * Creates Node's HTTP server with a limit on everything that a client can take before we know who it is: connections,
 * requests on one connection, and time.
 */
export function createHttpServer(
  handle: RequestListener,
  exchanges: Exchanges,
  limits: ConnectionLimits,
  receivesFiles: boolean,
): Server {
  const server = createServer(
    {
      maxHeaderSize: headerBytesMax,
      // Node itself would reject a request without Host, with a body that is not ours.
      requireHostHeader: false,
      keepAliveTimeout: 72_000,
      headersTimeout: limits.requestTimeoutMs,
      // Applies to requests that `exchanges` does not see; that one has the shorter limit for everything except files.
      requestTimeout: receivesFiles ? limits.uploadTimeoutMs : limits.requestTimeoutMs,
      connectionsCheckingInterval: checkEveryMs,
    },
    (request, response) => {
      if (exchanges.begin(request, response)) handle(request, response)
    },
  )
  server.maxConnections = limits.connectionsMax
  server.maxRequestsPerSocket = limits.requestsPerConnectionMax
  limitConnectionsPerAddress(server, limits)
  // A server that never listens never closes.
  server.once('listening', () => {
    const timer = setInterval(() => exchanges.closeSlow(), checkEveryMs).unref()
    server.once('close', () => clearInterval(timer))
  })
  return server
}

const checkEveryMs = 1_000

/** One client must not use up all connections. A trusted proxy may: its connections carry many clients. */
function limitConnectionsPerAddress(
  server: Server,
  { trustedProxies = [], connectionsPerAddressMax }: ConnectionLimits,
): void {
  const proxies = networkList(trustedProxies)
  const openOf = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    // A client that has already disconnected has no address.
    if (address === undefined || proxies.check(address, familyOf(address))) return
    const network = networkOf(address)
    if ((openOf.get(network) ?? 0) >= connectionsPerAddressMax) return void socket.destroy()
    addTo(openOf, network, 1)
    socket.once('close', () => addTo(openOf, network, -1))
  })
}
