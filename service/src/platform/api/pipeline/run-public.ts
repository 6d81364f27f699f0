import type { PublicOperation } from '../declare/operation.ts'
import type { PublicContext } from '../declare/public-context.ts'
import type { PipelineServices } from '../declare/services.ts'
import { requireOwnPage, sessionCookieOf } from '../declare/session-cookie.ts'
import { inputReader } from './input.ts'
import { originOf } from './request-urls.ts'
import { type Runner, serializerOf, successResponse } from './runner.ts'

/** Runs an operation without a token. It opens its own transactions. */
export function publicRunner({ header, run }: PublicOperation, services: PipelineServices): Runner {
  const withInput = inputReader(header)
  return (request, reply) => {
    const origin = originOf(services, request)
    if (header.caller === 'own page') requireOwnPage(request, origin)
    return withInput(request, async (input) => {
      const context: PublicContext = {
        ...services,
        sourceAddress: request.ip,
        userAgent: request.headers['user-agent'] ?? '',
        requestId: request.id,
        origin,
        sessionCookie: sessionCookieOf(request),
        now: services.clock(),
        addHeaders: (headers) => void reply.headers(headers),
      }
      return successResponse(header, serializerOf(reply), await run(input, context))
    })
  }
}
