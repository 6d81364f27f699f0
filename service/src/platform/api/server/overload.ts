import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../base/config.ts'
import { unavailable } from '../errors/errors.ts'
import { isHealthCheck } from './health.ts'

/** Responds 503 while there is still capacity to do so: past these limits every request would only become slower. */
export async function rejectOverload(
  app: FastifyInstance,
  config: Pick<Config, 'requestsInFlightMax' | 'eventLoopDelayMaxMs'>,
): Promise<void> {
  let inFlight = 0
  app.addHook('onRequest', async (request, reply) => {
    if (isHealthCheck(request)) return
    if (inFlight >= config.requestsInFlightMax) throw unavailable('Too many requests are in progress. Retry shortly.')
    inFlight += 1
    reply.raw.once('close', () => {
      inFlight -= 1
    })
  })
  await app.register(underPressure, {
    maxEventLoopDelay: config.eventLoopDelayMaxMs,
    pressureHandler: (request, _reply, _type, delayMs) => {
      // If the first second passed before the first measurement, the plugin reports an infinite delay.
      const isMeasured = Number.isFinite(delayMs)
      if (isMeasured && !isHealthCheck(request)) throw unavailable('The service is overloaded. Retry shortly.')
    },
  })
}
