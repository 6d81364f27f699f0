import { createHash } from 'node:crypto'
import { createTransport } from 'nodemailer'
import { LoggableError } from '../base/log.ts'

interface Mail {
  /** Equal on every attempt to send a mail. The Message-ID derives from it, so that a mailbox can detect duplicates. */
  about: unknown
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
    async send({ about, to, subject, text }) {
      const id = createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 32)
      try {
        await transport.sendMail({ messageId: `<${id}@investor-token>`, from, to, subject, text })
      } catch (error) {
        throw new RetryableMailError(error)
      }
    },
    close: () => transport.close(),
  }
}

/** The SMTP server rejected the mail or is unavailable. Contains only its code: its message may quote the recipient. */
class RetryableMailError extends LoggableError {
  override readonly name = 'RetryableMailError'

  constructor(cause: unknown) {
    const { code, responseCode } = (cause ?? {}) as { code?: string; responseCode?: number }
    super(`The mail server did not accept the mail (${[responseCode, code].filter(Boolean).join(' ') || 'no code'}).`)
  }
}
