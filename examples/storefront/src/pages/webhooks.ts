import { WebhookError } from '@investor-token/sdk'
import type { FastifyInstance } from 'fastify'
import type { Shop } from '../shop.ts'

/** Where the service sends events. Anybody can post here, so nothing is believed that is not signed. */
export function webhookEndpoint(app: FastifyInstance, { service, feed }: Shop): void {
  void app.register((own, _options, done) => {
    // The signature is over the bytes, so they must stay as they came: on this route alone nothing is parsed.
    own.removeAllContentTypeParsers()
    own.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, next) => next(null, body))

    own.post('/webhooks/investor-token', async (request, reply) => {
      try {
        feed.receive(await service.webhooks.unwrap(request))
      } catch (error) {
        if (error instanceof WebhookError) return reply.status(400).send({ refused: error.reason })
        throw error
      }
      // At once: what takes long comes after the answer, else the service would send it again.
      return reply.status(204).send()
    })
    done()
  })
}
