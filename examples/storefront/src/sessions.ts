import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface Session {
  readonly account: { readonly id: string; readonly type: string; readonly name: string }
  /** Shown once, on the next page. */
  notice?: string | undefined
  /** Challenge of a wallet that the visitor has registered but not yet proven. */
  toSign?: { readonly walletId: string; readonly message: string } | undefined
}

// A shop with more sessions should store them in a database.
const sessionsMax = 10_000
const lifetimeMs = 8 * 3_600_000

/**
 * Sessions in memory; the cookie contains only a random id. There is no sign-in: every visitor who fills in the form is
 * a new investor. A real shop adds its own sign-in here.
 */
export class Sessions {
  readonly #sessions = new Map<string, { session: Session; expiresAt: number }>()
  readonly #cookie: string

  constructor({ isSecure }: { isSecure: boolean }) {
    // With this prefix browsers accept the cookie only over https, and not from other subdomains.
    this.#cookie = isSecure ? '__Host-shop' : 'shop'
  }

  start(reply: FastifyReply, session: Session): void {
    const id = randomBytes(32).toString('base64url')
    const [oldest] = this.#sessions.keys()
    if (oldest !== undefined && this.#sessions.size >= sessionsMax) this.#sessions.delete(oldest)
    this.#sessions.set(id, { session, expiresAt: Date.now() + lifetimeMs })
    this.#send(reply, `${id}; Max-Age=${lifetimeMs / 1000}`)
  }

  of(request: FastifyRequest): Session | undefined {
    const found = this.#sessions.get(this.#idOf(request))
    return found && found.expiresAt > Date.now() ? found.session : undefined
  }

  end(request: FastifyRequest, reply: FastifyReply): void {
    this.#sessions.delete(this.#idOf(request))
    this.#send(reply, '; Max-Age=0')
  }

  #idOf({ headers }: FastifyRequest): string {
    const cookies = (headers.cookie ?? '').split('; ')
    return cookies.find((cookie) => cookie.startsWith(`${this.#cookie}=`))?.slice(this.#cookie.length + 1) ?? ''
  }

  #send(reply: FastifyReply, value: string): void {
    const secure = this.#cookie.startsWith('__Host-') ? '; Secure' : ''
    // Lax: browsers do not send the cookie with a form of another site.
    void reply.header('set-cookie', `${this.#cookie}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}`)
  }
}
