import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { until } from '../wait.ts'
import type { Attack } from './attack.ts'
import { attackerAddress } from './attack-bystander.ts'

const connections = 50
/** Longer than it takes without the setting: Node checks every 30 s for requests that are older than 30 s. */
const timeoutMsMax = 120_000
const closeMsMax = 15_000

/** The server gives up on a request and closes its side; the client never closes the other side. */
export const halfClosedConnections: Attack = {
  name: `${connections} connections that stay half-closed after a 408`,
  run: async (stack) => {
    const api = await stack.installation.startApiProcess({ REQUEST_TIMEOUT_SECONDS: '2' })
    const { hostname, port } = new URL(api.baseUrl)
    let responses = 0
    const sockets = Array.from({ length: connections }, () => {
      const socket = connect({
        host: hostname,
        port: Number(port),
        localAddress: attackerAddress,
        allowHalfOpen: true,
      })
      socket.on('error', () => {})
      socket.once('data', () => {
        responses += 1
      })
      socket.write(
        'POST /api/auth HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      )
      return socket
    })
    const hasEnded = () => responses + sockets.filter(({ destroyed }) => destroyed).length >= connections
    try {
      await until('the server gives up on the requests', hasEnded, timeoutMsMax)
      const startedAt = performance.now()
      const isFree = await until('the sockets are closed', () => openSockets(Number(port)) === 0, closeMsMax).then(
        () => true,
        () => false,
      )
      const open = openSockets(Number(port))
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      return { isDefended: isFree, observed: `${open} of ${connections} are open in the server after ${seconds} s` }
    } finally {
      for (const socket of sockets) socket.destroy()
      await api.process.kill()
    }
  },
}

/**
 * Returns the attacker's connections that the server has not closed. The kernel may list closed ones, without inode.
 */
function openSockets(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const remote = Buffer.from(attackerAddress.split('.').map(Number).toReversed()).toString('hex').toUpperCase()
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, from, to, , , , , , , inode]) => from?.endsWith(local) && to?.startsWith(remote) && inode !== '0')
    .length
}
