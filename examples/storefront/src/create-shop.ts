import { readFileSync } from 'node:fs'
import { type ClientOptions, InvestorToken, InvestorTokenError } from '@investor-token/sdk'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { EventFeed } from './event-feed.ts'
import { html } from './html.ts'
import { OrderBoard } from './order-board.ts'
import { buyPages } from './pages/buy.ts'
import { joinPages } from './pages/join.ts'
import { offeringPages } from './pages/offerings.ts'
import { orderPages } from './pages/order.ts'
import { personPages } from './pages/persons.ts'
import { portfolioPages } from './pages/portfolio.ts'
import { progressStream } from './pages/progress-stream.ts'
import { simulationPages } from './pages/simulations.ts'
import { webhookEndpoint } from './pages/webhooks.ts'
import { isUnsure } from './refusal-text.ts'
import { Sessions } from './sessions.ts'
import { Refusal, type Shop, sendPage } from './shop.ts'

export interface ShopOptions {
  readonly client: ClientOptions
  /**
   * Of the walk along the events, if it has one of its own: then it never takes a request from a visitor. Each
   * credential has its own limit.
   */
  readonly backgroundClient?: ClientOptions | undefined
  readonly hasSimulations: boolean
  /** Whether visitors come over https. */
  readonly isSecure: boolean
  readonly pollMs?: number | undefined
  readonly log: (line: string) => void
}

/** The shop, ready to listen. Closing it ends everything that it has begun. */
export async function createShop(options: ShopOptions): Promise<FastifyInstance> {
  const service = new InvestorToken(options.client)
  const background = options.backgroundClient ? new InvestorToken(options.backgroundClient) : service
  const board = new OrderBoard(background)
  const feed = new EventFeed(background, board, { pollMs: options.pollMs })
  const sessions = new Sessions(options)
  const shop: Shop = { service, board, feed, sessions, hasSimulations: options.hasSimulations }

  // Forms are small. Streams of progress would keep a closing server waiting, so their sockets are ended with it.
  const app = fastify({ bodyLimit: 65_536, forceCloseConnections: true })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  )
  app.addHook('onRequest', guard)
  app.setErrorHandler((error, request, reply) => sendError(shop, request, reply, error, options.log))
  app.setNotFoundHandler((request, reply) =>
    sendError(shop, request, reply, new Refusal(404, 'There is no such page.'), options.log),
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
    simulationPages,
    webhookEndpoint,
  ])
    pages(app, shop)
  await feed.start()
  app.addHook('onClose', () => feed.stop())
  return app
}

// All parameters of our paths are ids; anything else cannot be there, and need not be asked for.
const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** On every answer and before every form: pages run no script but ours, and forms come from our pages. */
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
    if (!isId.test(id)) throw new Refusal(404, 'There is no such page.')
  // Browsers say where a form comes from; those that do not still keep the cookie from another site's form.
  const site = request.headers['sec-fetch-site']
  if (request.method === 'POST' && site !== undefined && site !== 'same-origin')
    throw new Refusal(403, 'This form was sent from another site.')
}

function sendError(
  shop: Shop,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  log: ShopOptions['log'],
): FastifyReply {
  const [status, text] = explain(error)
  // The route and not the address, the name and not the message: nothing of a person gets into a log.
  if (status >= 500) log(`${request.method} ${request.routeOptions.url ?? '-'} ${status}: ${traceOf(error)}`)
  const wayOut =
    status === 401
      ? html`<a class="button" href="/join">Open an account</a>`
      : html`<a href="/offerings">Back to the offerings</a>`
  const body = html`
    <h1>${status === 404 ? 'Not here' : 'That did not work'}</h1>
    <p class="lead">${text}</p>
    <p>${wayOut}</p>`
  return sendPage(shop, request, reply, { title: 'That did not work', body, status })
}

function explain(error: unknown): [status: number, text: string] {
  if (error instanceof Refusal) return [error.status, error.message]
  if (isUnsure(error)) return [503, 'The issuer does not answer just now. Please try again in a minute.']
  const status =
    (error as { status?: unknown; statusCode?: unknown }).status ?? (error as { statusCode?: unknown }).statusCode
  if (status === 404) return [404, 'There is no such page.']
  // What the framework says of a request that it cannot read: too large, of a kind that is not ours.
  if (!(error instanceof InvestorTokenError) && typeof status === 'number' && status < 500)
    return [status, 'Your browser has sent something that this page does not take.']
  return [500, 'Something went wrong on our side. We have been told.']
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
    ['icon.svg', 'image/svg+xml'],
  ] as const) {
    const content = readFileSync(new URL(`../public/${name}`, import.meta.url))
    app.get(`/${name}`, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=300').type(type).send(content),
    )
  }
}
