import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

/** A real DNS server on a free port. A test sets the addresses of each name, optionally different ones per query. */
export class NameServer {
  readonly address: string
  /** All queries so far, as `A name`. */
  readonly queries: string[] = []
  readonly #socket: Socket
  readonly #addresses = new Map<string, string[][]>()

  private constructor(socket: Socket) {
    this.#socket = socket
    this.address = `127.0.0.1:${socket.address().port}`
    socket.on('message', (packet, from) => this.#respond(packet, from))
  }

  static async open(): Promise<NameServer> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return new NameServer(socket)
  }

  /** Sets the addresses for the first query of a name, the second, and so on. The last ones repeat. */
  name(name: string, ...addresses: string[][]): void {
    this.#addresses.set(name, addresses)
  }

  async close(): Promise<void> {
    this.#socket.close()
    await once(this.#socket, 'close')
  }

  #respond(packet: Buffer, from: RemoteInfo): void {
    const labels: string[] = []
    let offset = 12
    while (packet[offset]) {
      const size = packet[offset] ?? 0
      labels.push(packet.toString('latin1', offset + 1, offset + 1 + size))
      offset += 1 + size
    }
    const question = packet.subarray(12, offset + 5)
    const isIpv6 = packet.readUInt16BE(offset + 1) === 28
    const name = labels.join('.').toLowerCase()
    const query = `${isIpv6 ? 'AAAA' : 'A'} ${name}`
    const earlier = this.queries.filter((one) => one === query).length
    this.queries.push(query)
    const addresses = this.#addresses.get(name) ?? []
    const found = (addresses[Math.min(earlier, addresses.length - 1)] ?? []).filter(
      (address) => isIPv6(address) === isIpv6,
    )
    const header = Buffer.from([0, 0, 0x81, addresses.length ? 0x80 : 0x83, 0, 1, 0, found.length, 0, 0, 0, 0])
    packet.copy(header, 0, 0, 2)
    const records = found.map((address) => {
      const data = bytesOf(address)
      return Buffer.concat([Buffer.from([0xc0, 12, 0, isIpv6 ? 28 : 1, 0, 1, 0, 0, 0, 0, 0, data.length]), data])
    })
    this.#socket.send(Buffer.concat([header, question, ...records]), from.port, from.address)
  }
}

function bytesOf(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number))
  const [before = '', after = ''] = address.split('::')
  const groups = (text: string) => (text ? text.split(':') : [])
  const zeros = Array.from({ length: 8 - groups(before).length - groups(after).length }, () => '0')
  const all = address.includes('::') ? [...groups(before), ...zeros, ...groups(after)] : groups(address)
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
