import type { FastifyInstance } from 'fastify'
import type { Shop } from '../shop.ts'

/** The endpoint for webhooks. Anyone can post to it, so only messages with a valid signature are processed. */
export function webhookEndpoint(app: FastifyInstance, { service, feed }: Shop): void {
  void app.register((own, _options, done) => {
    // The signature covers the raw body, so this route must not parse it.
    own.removeAllContentTypeParsers()
    own.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, next) => next(null, body))

    own.post('/webhooks/investor-token', async (request, reply) => {
      // Responds at once and does slow work later; otherwise the service times out and sends the webhook again.
      const { status, headers, body } = await service.webhooks.receive(request, (message) => feed.receive(message))
      return reply.status(status).headers(headers).send(body)
    })
    done()
  })
}
