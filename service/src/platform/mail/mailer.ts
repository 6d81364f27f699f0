import { createTransport } from 'nodemailer'
import { RetryableMailError } from './mail-error.ts'

interface Mail {
  /** Stays the same on every attempt to send a mail, so that a mailbox can detect duplicates. */
  id: string
  to: { name: string; address: string }
  subject: string
  text: string
}

export interface Mailer {
  send(mail: Mail): Promise<void>
  close(): void
}

/** Sends mail by SMTP. Every step has a timeout, because a sending job occupies one of the queue's concurrent slots. */
export function createMailer(smtpUrl: string, from: string): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 15_000,
    // Values in mails come from users, so nodemailer must not load content from a file or URL.
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
