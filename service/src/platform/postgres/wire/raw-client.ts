import { EventEmitter } from 'node:events'
import pg from 'pg'
import { dataRowType, type RawRow, readInt32, textsOfRow } from './raw-rows.ts'

/**
 * A client of the driver that gives its queries the rows as PostgreSQL sent them: the driver would turn every value
 * into a string first. It also handles the messages that surround the rows of every read, because each group of them
 * that goes to the driver costs a Buffer. All other messages go to the driver.
 */
export class RawClient extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    super(config)
    const client = this as unknown as DriverClient
    const { ssl, sslnegotiation: sslNegotiation } = client.connectionParameters
    client.connection = new RawConnection({ ...config, ssl, sslNegotiation })
  }
}

/** Members of the driver that its published types omit. */
interface DriverClient {
  connectionParameters: { ssl: unknown; sslnegotiation: unknown }
  connection: EventEmitter
}

const DriverConnection = pg.Connection as unknown as new (
  config: object,
) => EventEmitter & { attachListeners(stream: Source): void }

/** The part of a stream that the driver's parser and ours use. */
type Source = Pick<EventEmitter, 'on'>

class RawConnection extends DriverConnection {
  /** Called by the driver for the stream that it reads: the encrypted one, if any. */
  override attachListeners(stream: Source): void {
    const others = new EventEmitter()
    super.attachListeners(others)
    const row = new DataRow()
    const messages = new Messages({
      onRow: (bytes, start, end) => this.emit('dataRow', row.at(bytes, start, end)),
      onComplete: (text) => this.emit('commandComplete', { name: 'commandComplete', text }),
      onReady: (status) => this.emit('readyForQuery', { name: 'readyForQuery', status }),
      onOthers: (bytes) => others.emit('data', bytes),
    })
    stream.on('data', (chunk: Buffer) => messages.read(chunk))
  }
}

/** One object for all rows of a connection: a query takes its values before the next row arrives. */
class DataRow implements RawRow {
  readonly name = 'dataRow'
  bytes: Buffer = empty
  start = 0
  end = 0

  at(bytes: Buffer, start: number, end: number): this {
    this.bytes = bytes
    this.start = start
    this.end = end
    return this
  }

  /** Values as queries of the driver read them. */
  get fields(): (string | null)[] {
    return textsOfRow(this)
  }
}

const empty = Buffer.alloc(0)

interface Listener {
  onRow(bytes: Buffer, start: number, end: number): void
  /** The end of a statement, with the tag of its command. */
  onComplete(text: string): void
  /** The end of a batch, with the state of its transaction. */
  onReady(status: string): void
  /** Complete messages of all other types. */
  onOthers(bytes: Buffer): void
}

/** Separates rows from all other messages, in the order in which they arrive. */
export class Messages {
  readonly #listener: Listener
  /** Chunks of a message that is still arriving. */
  #parts: Buffer[] = []
  /** Number of bytes that must still arrive before the message is worth another look. */
  #missing = 0

  constructor(listener: Listener) {
    this.#listener = listener
  }

  read(chunk: Buffer): void {
    if (chunk.length < this.#missing) {
      // A large value arrives in many chunks, which are joined only once.
      this.#missing -= chunk.length
      this.#parts.push(chunk)
      return
    }
    const bytes = this.#parts.length > 0 ? Buffer.concat([...this.#parts, chunk]) : chunk
    const read = this.#split(bytes)
    this.#parts = read < bytes.length ? [bytes.subarray(read)] : []
    this.#missing = lengthAt(bytes, read) - (bytes.length - read)
  }

  /** Returns the offset of the first message that is incomplete. */
  #split(bytes: Buffer): number {
    let others = 0
    let at = 0
    for (;;) {
      const end = at + lengthAt(bytes, at)
      if (end > bytes.length) break
      if (isOurs(bytes[at])) {
        if (others < at) this.#listener.onOthers(bytes.subarray(others, at))
        others = end
        this.#read(bytes, at, end)
      }
      at = end
    }
    if (others < at) this.#listener.onOthers(bytes.subarray(others, at))
    return at
  }

  #read(bytes: Buffer, at: number, end: number): void {
    const type = bytes[at]
    if (type === dataRowType) this.#listener.onRow(bytes, at, end)
    else if (type === commandCompleteType)
      this.#listener.onComplete(bytes.toString('latin1', at + headerLength, end - 1))
    else if (type === readyForQueryType)
      this.#listener.onReady(bytes.toString('latin1', at + headerLength, at + headerLength + 1))
  }
}

const [bindCompleteType, commandCompleteType, readyForQueryType] = [0x32, 0x43, 0x5a]

/** The driver ignores BindComplete. */
function isOurs(type: number | undefined): boolean {
  return type === dataRowType || type === commandCompleteType || type === readyForQueryType || type === bindCompleteType
}

/** Returns the length of a message with its type, or the length of its header if even the header is incomplete. */
function lengthAt(bytes: Buffer, at: number): number {
  return at + headerLength > bytes.length ? headerLength : 1 + (readInt32(bytes, at + 1) >>> 0)
}

const headerLength = 5
