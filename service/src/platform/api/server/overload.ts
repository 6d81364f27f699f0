import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../base/config.ts'
import { type RequestSlot, type RequestSlots, refuse } from '../overload/request-slots.ts'
import { isHealthCheck } from './health.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined for health checks and static files. */
    slot: RequestSlot | undefined
  }
  interface FastifyContextConfig {
    /** The response is the same for all callers and already in memory. */
    isStatic?: boolean
  }
}

/** Responds 503 while there is still capacity to do so: past these limits every request would only become slower. */
export async function rejectOverload(
  app: FastifyInstance,
  slots: RequestSlots,
  config: Pick<Config, 'eventLoopDelayMaxMs'>,
): Promise<void> {
  app.decorateRequest('slot', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    if (isHealthCheck(request) || request.routeOptions.config.isStatic) return done()
    const slot = slots.take(request.ip)
    request.slot = slot
    reply.raw.once('close', slot.release)
    done()
  })
  // The work is done: a client that reads its response slowly must not occupy the slot.
  app.addHook('onSend', (request, _reply, _payload, done) => {
    request.slot?.release()
    done()
  })
  await app.register(underPressure, {
    maxEventLoopDelay: config.eventLoopDelayMaxMs,
    pressureHandler: (request, _reply, _type, delayMs) => {
      // If the first second passed before the first measurement, the plugin reports an infinite delay.
      const isMeasured = Number.isFinite(delayMs)
      if (isMeasured && !isHealthCheck(request)) throw refuse('event_loop', 'The service is overloaded. Retry shortly.')
    },
  })
}
