import type { InvestorToken } from '@investor-token/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Announcements } from './announcements.ts'
import type { EventFeed } from './event-feed.ts'
import { type Content, html } from './html.ts'
import type { OrderCache } from './order-cache.ts'
import type { Session, Sessions } from './sessions.ts'

/** The context of every page. */
export interface Shop {
  /** The client for requests of visitors. It waits instead of exceeding the rate limit. */
  readonly service: InvestorToken
  readonly orders: OrderCache
  readonly announcements: Announcements
  readonly feed: EventFeed
  readonly sessions: Sessions
  /** True to show the simulation buttons, for development. */
  readonly hasSimulations: boolean
}

/** An error page. The visitor sees its message. */
export class PageError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Returns the visitor's session. Without one, throws an error page with a link to open an account. */
export function requireSession({ sessions }: Shop, request: FastifyRequest): Session {
  const session = sessions.of(request)
  if (!session) throw new PageError(401, 'Please open an account first: this page shows your orders and tokens.')
  return session
}

// Visitors do not wait longer for a page. Also limits how long the client waits for the rate limit.
const requestTimeoutMs = 15_000

/** Options for each call on behalf of a visitor: the SDK may retry until the timeout aborts the call. */
export function requestTimeout(): { signal: AbortSignal } {
  return { signal: AbortSignal.timeout(requestTimeoutMs) }
}

export function formOf(request: FastifyRequest): URLSearchParams {
  return request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
}

export interface Page {
  readonly title: string
  readonly body: Content
  readonly head?: Content
  readonly status?: number
}

/** Sends a page with the common header and footer. */
export function sendPage(shop: Shop, request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  const session = shop.sessions.of(request)
  const notice = session?.notice
  if (session) session.notice = undefined
  const here = request.url.includes('/orders/') ? '/portfolio' : request.url
  const link = (path: string, name: string) =>
    html`<li><a href="${path}" ${here.startsWith(path) && html`aria-current="page"`}>${name}</a></li>`
  const document = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${page.title} – Quayside</title>
    <link rel="stylesheet" href="/style.css">
    <link rel="icon" href="/icon.svg">
    ${page.head}
  </head>
  <body>
    <a class="skip" href="#content">Skip to the content</a>
    <header class="top">
      <nav aria-label="Main">
        <a class="brand" href="/offerings"><img src="/icon.svg" alt="" width="28" height="28"> Quayside</a>
        <ul>
          ${link('/offerings', 'Offerings')}
          ${session ? link('/portfolio', 'Portfolio') : link('/join', 'Open an account')}
        </ul>
        ${
          session &&
          html`<form method="post" action="/leave" class="leave">
            <span>${session.account.name}</span> <button class="plain">Sign out</button>
          </form>`
        }
      </nav>
    </header>
    <main id="content">
      ${notice && html`<div class="message" role="status"><p>${notice}</p></div>`}
      ${page.body}
    </main>
    <footer>
      <p>Quayside is an example shop that uses the Investor Token API.${
        shop.hasSimulations && ' This is a development environment: money and tokens are not real.'
      }</p>
    </footer>
  </body>
</html>
`
  return reply
    .status(page.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(document.text)
}
