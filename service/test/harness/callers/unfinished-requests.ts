import { connect, type Socket } from 'node:net'

/** Requests of one caller whose bodies never arrive. A connection ends with the first byte of a response. */
export class UnfinishedRequests {
  readonly #open = new Set<Socket>()
  readonly #statuses: Record<string, number> = {}
  readonly #baseUrl: URL
  readonly #token: string
  readonly #from: string | undefined

  constructor(baseUrl: string, token: string, { from }: { from?: string } = {}) {
    this.#baseUrl = new URL(baseUrl)
    this.#token = token
    this.#from = from
  }

  get count(): number {
    return this.#open.size
  }

  /** Number of responses by status; open requests have none. */
  get statuses(): Readonly<Record<string, number>> {
    return this.#statuses
  }

  /** Sends all but the end of a request. */
  begin(path: string): void {
    const { hostname, port } = this.#baseUrl
    const socket = connect({ host: hostname, port: Number(port), ...(this.#from && { localAddress: this.#from }) })
    this.#open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => this.#open.delete(socket))
    socket.on('data', (bytes) => {
      const status = bytes.toString('latin1', 9, 12)
      this.#statuses[status] = (this.#statuses[status] ?? 0) + 1
      socket.destroy()
    })
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${this.#token}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 200\r\n\r\n{',
    )
  }

  end(): void {
    for (const socket of this.#open) socket.destroy()
  }
}
