import { WebhookError } from '@investor-token/sdk'
import type { FastifyInstance } from 'fastify'
import type { Shop } from '../shop.ts'

/** The endpoint for webhooks. Anyone can post to it, so only messages with a valid signature are processed. */
export function webhookEndpoint(app: FastifyInstance, { service, feed }: Shop): void {
  void app.register((own, _options, done) => {
    // The signature covers the raw body, so this route must not parse it.
    own.removeAllContentTypeParsers()
    own.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, next) => next(null, body))

    own.post('/webhooks/investor-token', async (request, reply) => {
      try {
        feed.receive(await service.webhooks.unwrap(request))
      } catch (error) {
        if (error instanceof WebhookError) return reply.status(400).send({ error: error.reason })
        throw error
      }
      // Respond at once and do slow work later; otherwise the service times out and sends the webhook again.
      return reply.status(204).send()
    })
    done()
  })
}
