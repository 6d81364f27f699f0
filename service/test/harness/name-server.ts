import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'

/** A real DNS server on a free port. It answers what it is told to, another thing at each question where it is. */
export class NameServer {
  readonly address: string
  /** Every question there was, as `A name`. */
  readonly questions: string[] = []
  readonly #socket: Socket
  readonly #answers = new Map<string, string[][]>()

  private constructor(socket: Socket) {
    this.#socket = socket
    this.address = `127.0.0.1:${socket.address().port}`
    socket.on('message', (packet, from) => this.#answer(packet, from))
  }

  static async open(): Promise<NameServer> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1')
    await once(socket, 'listening')
    return new NameServer(socket)
  }

  /** The addresses of a name at the first question, at the second, and so on; the last goes on for ever. */
  name(name: string, ...answers: string[][]): void {
    this.#answers.set(name, answers)
  }

  async close(): Promise<void> {
    this.#socket.close()
    await once(this.#socket, 'close')
  }

  #answer(packet: Buffer, from: RemoteInfo): void {
    const labels: string[] = []
    let place = 12
    while (packet[place]) {
      const size = packet[place] ?? 0
      labels.push(packet.toString('latin1', place + 1, place + 1 + size))
      place += 1 + size
    }
    const question = packet.subarray(12, place + 5)
    const isSix = packet.readUInt16BE(place + 1) === 28
    const name = labels.join('.').toLowerCase()
    const asked = `${isSix ? 'AAAA' : 'A'} ${name}`
    const turn = this.questions.filter((one) => one === asked).length
    this.questions.push(asked)
    const answers = this.#answers.get(name) ?? []
    const found = (answers[Math.min(turn, answers.length - 1)] ?? []).filter((address) => isIPv6(address) === isSix)
    const header = Buffer.from([0, 0, 0x81, answers.length ? 0x80 : 0x83, 0, 1, 0, found.length, 0, 0, 0, 0])
    packet.copy(header, 0, 0, 2)
    const records = found.map((address) => {
      const data = bytesOf(address)
      return Buffer.concat([Buffer.from([0xc0, 12, 0, isSix ? 28 : 1, 0, 1, 0, 0, 0, 0, 0, data.length]), data])
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
