import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from '../installation/process.ts'

/** An address for a database that fails over. Forwards connections to one port at a time, as a load balancer does. */
export class TcpForwarder {
  readonly port: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #target: number | undefined

  private constructor(port: number) {
    this.port = port
    this.#server = createServer((socket) => this.#forward(socket)).listen(port, '127.0.0.1')
  }

  static async start(target: number): Promise<TcpForwarder> {
    const forwarder = new TcpForwarder(await freePort())
    await once(forwarder.#server, 'listening')
    forwarder.#target = target
    return forwarder
  }

  /** Ends the connections to the previous target, unless it vanished silently. Without a target it refuses all. */
  turnTo(target: number | undefined, { endsConnections = true } = {}): void {
    this.#target = target
    if (endsConnections) for (const socket of this.#sockets) socket.destroy()
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.turnTo(undefined)
    await closed
  }

  #forward(socket: Socket): void {
    if (this.#target === undefined) return void socket.destroy()
    const other = connect(this.#target, '127.0.0.1')
    for (const [one, peer] of [
      [socket, other],
      [other, socket],
    ] as const) {
      this.#sockets.add(one)
      one.setNoDelay(true)
      one.on('error', () => {})
      one.on('close', () => {
        this.#sockets.delete(one)
        peer.destroy()
      })
      one.pipe(peer)
    }
  }
}
