import { once } from 'node:events'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A real SMTP server on a free port that stores the mails it receives. */
export class Mailbox {
  readonly mails: Email[] = []
  readonly url: string
  readonly #server: SMTPServer
  readonly #state: State

  private constructor(server: SMTPServer, state: State, port: number) {
    this.#server = server
    this.#state = state
    this.url = `smtp://127.0.0.1:${port}`
    state.receive = (mail) => this.mails.push(mail)
  }

  static async open(): Promise<Mailbox> {
    const state: State = { connections: 0, delayed: undefined, receive: () => {} }
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onConnect: (_session, callback) => {
        state.connections += 1
        void (state.delayed ?? Promise.resolve()).then(() => callback())
      },
      onData: (stream, _session, callback) => {
        const parts: Buffer[] = []
        stream.on('data', (part: Buffer) => parts.push(part))
        stream.on('end', () => {
          void PostalMime.parse(Buffer.concat(parts)).then((mail) => {
            state.receive(mail)
            callback()
          })
        })
      },
    })
    server.on('error', () => {})
    const listening = server.listen(0, '127.0.0.1')
    await once(listening, 'listening')
    const address = listening.address()
    if (typeof address !== 'object' || !address) throw new Error('no port')
    return new Mailbox(server, state, address.port)
  }

  /** Delays the greeting of new connections until the returned function is called. */
  delayGreetings(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#state.delayed = promise
    return () => {
      this.#state.delayed = undefined
      resolve()
    }
  }

  get connections(): number {
    return this.#state.connections
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
    })
  }
}

interface State {
  connections: number
  delayed: Promise<void> | undefined
  receive: (mail: Email) => void
}
