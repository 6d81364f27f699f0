import { createTransport } from 'nodemailer'
import { RetryableMailError } from './mail-error.ts'

interface Mail {
  /** The same for every attempt to send the same mail, so that a mailbox can tell a repetition. */
  id: string
  to: { name: string; address: string }
  subject: string
  text: string
}

export interface Mailer {
  send(mail: Mail): Promise<void>
  close(): void
}

/** Mail through SMTP. Every wait is bounded, since a job holds its place in the queue while it sends. */
export function createMailer(smtpUrl: string, from: string): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 15_000,
    // Templates are ours and values come from people: neither may name a file or an address to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ id, to, subject, text }) {
      try {
        await transport.sendMail({ messageId: `<${id}@investor-token>`, from, to, subject, text })
      } catch (error) {
        throw new RetryableMailError(error)
      }
    },
    close: () => transport.close(),
  }
}
