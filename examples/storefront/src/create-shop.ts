import { readFileSync } from 'node:fs'
import { type ClientOptions, InvestorToken, InvestorTokenError } from '@investor-token/sdk'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Announcements } from './announcements.ts'
import { isOutcomeUnknown } from './error-text.ts'
import { EventFeed } from './event-feed.ts'
import { html } from './html.ts'
import { OrderCache } from './order-cache.ts'
import { buyPages } from './pages/buy.ts'
import { holderSimulationPages } from './pages/holder-simulations.ts'
import { joinPages } from './pages/join.ts'
import { offeringPages } from './pages/offerings.ts'
import { orderPages } from './pages/order.ts'
import { personPages } from './pages/persons.ts'
import { portfolioPages } from './pages/portfolio.ts'
import { progressStream } from './pages/progress-stream.ts'
import { simulationPages } from './pages/simulations.ts'
import { walletPages } from './pages/wallet.ts'
import { webhookEndpoint } from './pages/webhooks.ts'
import { Sessions } from './sessions.ts'
import { PageError, type Shop, sendPage } from './shop.ts'

export interface ShopOptions {
  readonly client: ClientOptions
  /**
   * A separate credential for polling events. Each credential has its own rate limit, so polling then never delays a
   * visitor's request. Default: `client`.
   */
  readonly backgroundClient?: ClientOptions | undefined
  readonly hasSimulations: boolean
  /** True if visitors use https. */
  readonly isSecure: boolean
  readonly pollMs?: number | undefined
  readonly log: (line: string) => void
}

/** Creates the shop, ready to listen. Closing it stops its timers and streams. */
export async function createShop(options: ShopOptions): Promise<FastifyInstance> {
  const service = new InvestorToken(options.client)
  const background = options.backgroundClient ? new InvestorToken(options.backgroundClient) : service
  const orders = new OrderCache(background)
  const announcements = new Announcements()
  const feed = new EventFeed(background, { orders, announcements }, { pollMs: options.pollMs })
  const sessions = new Sessions(options)
  const { hasSimulations } = options
  const shop: Shop = { service, orders, announcements, feed, sessions, hasSimulations }

  // Forms are small. Progress streams stay open, so closing the server must close their connections.
  const app = fastify({ bodyLimit: 65_536, forceCloseConnections: true })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  )
  app.addHook('onRequest', guard)
  app.setErrorHandler((error, request, reply) => sendError(shop, request, reply, error, options.log))
  app.setNotFoundHandler((request, reply) =>
    sendError(shop, request, reply, new PageError(404, 'This page does not exist.'), options.log),
  )
  publicFiles(app)
  for (const pages of [
    offeringPages,
    joinPages,
    personPages,
    buyPages,
    orderPages,
    progressStream,
    portfolioPages,
    walletPages,
    simulationPages,
    holderSimulationPages,
    webhookEndpoint,
  ])
    pages(app, shop)
  await feed.start()
  app.addHook('onClose', () => feed.stop())
  return app
}

// All path parameters are ids. Any other value gets a 404 without a request to the service.
const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Sets the security headers of every response, and rejects malformed ids and cross-site forms. */
async function guard(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  void reply.headers({
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
      "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  })
  for (const id of Object.values((request.params ?? {}) as Record<string, string>))
    if (!isId.test(id)) throw new PageError(404, 'This page does not exist.')
  // A browser without this header still does not send the SameSite cookie with a form of another site.
  const site = request.headers['sec-fetch-site']
  if (request.method === 'POST' && site !== undefined && site !== 'same-origin')
    throw new PageError(403, 'This form was sent from a different site.')
}

function sendError(
  shop: Shop,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  log: ShopOptions['log'],
): FastifyReply {
  const [status, text] = explain(error)
  // Logs the route and not the URL, and the error's name and not its message, to keep personal data out of the log.
  if (status >= 500) log(`${request.method} ${request.routeOptions.url ?? '-'} ${status}: ${traceOf(error)}`)
  const link =
    status === 401
      ? html`<a class="button" href="/join">Open an account</a>`
      : html`<a href="/offerings">Back to the offerings</a>`
  const body = html`
    <h1>${status === 404 ? 'Not found' : 'Something went wrong'}</h1>
    <p class="lead">${text}</p>
    <p>${link}</p>`
  return sendPage(shop, request, reply, { title: 'Something went wrong', body, status })
}

function explain(error: unknown): [status: number, text: string] {
  if (error instanceof PageError) return [error.status, error.message]
  if (isOutcomeUnknown(error)) return [503, 'The issuer is not available right now. Please retry in a minute.']
  const status =
    (error as { status?: unknown; statusCode?: unknown }).status ?? (error as { statusCode?: unknown }).statusCode
  if (status === 404) return [404, 'This page does not exist.']
  // Fastify rejected the request: the body is too large or has an unsupported content type.
  if (!(error instanceof InvestorTokenError) && typeof status === 'number' && status < 500)
    return [status, 'Your browser sent a request that this page does not accept.']
  return [500, 'This is an error on our side. We have been notified.']
}

function traceOf(error: unknown): string {
  if (error instanceof InvestorTokenError) {
    const code = 'code' in error ? String(error.code) : '-'
    return `${error.name} ${code}, request ${error.requestId ?? '-'}`
  }
  return error instanceof Error
    ? `${error.name} ${error.stack?.split('\n').slice(1, 4).join(' ') ?? ''}`
    : 'not an error'
}

function publicFiles(app: FastifyInstance): void {
  for (const [name, type] of [
    ['style.css', 'text/css; charset=utf-8'],
    ['progress.js', 'text/javascript; charset=utf-8'],
    ['wallet.js', 'text/javascript; charset=utf-8'],
    ['icon.svg', 'image/svg+xml'],
  ] as const) {
    const content = readFileSync(new URL(`../public/${name}`, import.meta.url))
    app.get(`/${name}`, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=300').type(type).send(content),
    )
  }
}
