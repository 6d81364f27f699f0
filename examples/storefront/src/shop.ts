import type { InvestorToken } from '@investor-token/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EventFeed } from './event-feed.ts'
import { type Content, html } from './html.ts'
import type { OrderBoard } from './order-board.ts'
import type { Session, Sessions } from './sessions.ts'

/** What every page works with. */
export interface Shop {
  /** For what visitors ask; it holds requests back that the limit would refuse. */
  readonly service: InvestorToken
  readonly board: OrderBoard
  readonly feed: EventFeed
  readonly sessions: Sessions
  /** Development: the buttons that simulate what others do. */
  readonly hasSimulations: boolean
}

/** Shown instead of the page; its text may be seen by anybody. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Who is signed in, or away to the form with which one becomes somebody. */
export function requireSession({ sessions }: Shop, request: FastifyRequest): Session {
  const session = sessions.of(request)
  if (!session) throw new Refusal(401, 'Please open an account first: this page is about your own orders and tokens.')
  return session
}

// Nobody looks at an empty page for longer. The client may be waiting for the limit, so this is what ends a wait.
const patienceMs = 15_000

/** For each call on behalf of a visitor: gives up in time, and sends again what is worth it within that time. */
export function patience(): { signal: AbortSignal } {
  return { signal: AbortSignal.timeout(patienceMs) }
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

/** The frame around every page. */
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
      <p>Quayside is an example on the Investor Token API.${
        shop.hasSimulations && ' This is development: no money and no token here is real.'
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
