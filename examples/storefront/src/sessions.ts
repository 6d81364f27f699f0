import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface Session {
  readonly account: { readonly id: string; readonly type: string; readonly name: string }
  /** Shown on the next page, once. */
  notice?: string | undefined
}

// Sessions are few and short here; a shop that has more keeps them in a database.
const sessionsMax = 10_000
const lifeMs = 8 * 3_600_000

/**
 * Who is who, in memory: the browser holds a random number and nothing else. There is no password to come back with:
 * whoever fills in the form is a new investor. A real shop puts its own sign-in here.
 */
export class Sessions {
  readonly #sessions = new Map<string, { session: Session; endsAt: number }>()
  readonly #cookie: string

  constructor({ isSecure }: { isSecure: boolean }) {
    // With this prefix a browser takes the cookie over https only, and from no other host of the same domain.
    this.#cookie = isSecure ? '__Host-shop' : 'shop'
  }

  start(reply: FastifyReply, session: Session): void {
    const id = randomBytes(32).toString('base64url')
    const [oldest] = this.#sessions.keys()
    if (oldest !== undefined && this.#sessions.size >= sessionsMax) this.#sessions.delete(oldest)
    this.#sessions.set(id, { session, endsAt: Date.now() + lifeMs })
    this.#send(reply, `${id}; Max-Age=${lifeMs / 1000}`)
  }

  of(request: FastifyRequest): Session | undefined {
    const found = this.#sessions.get(this.#idOf(request))
    return found && found.endsAt > Date.now() ? found.session : undefined
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
    // Lax: another site cannot make the browser post with it.
    void reply.header('set-cookie', `${this.#cookie}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}`)
  }
}
