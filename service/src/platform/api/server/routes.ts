import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../declare/operation.ts'
import { ApiError } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'

/** Prefixes of the integrator API. Both serve the same operations. */
export const integratorPrefixes = ['/api', '/_api'] as const
/** Prefixes of the operator API, which has its own port. */
export const operatorPrefixes = ['/operator'] as const

/** Handles requests without a route: 404, 405 with Allow, or the response to OPTIONS. */
export function unknownRouteHandler(
  operations: readonly Operation[],
  prefixes: readonly string[],
): (request: FastifyRequest, reply: FastifyReply) => unknown {
  const routes = operations.map(({ header: { method, path } }) => ({ method, pattern: patternOf(prefixes, path) }))
  return (request, reply) => {
    const allow = methodsAt(routes, request.url)
    if (!allow)
      throw new ApiError(
        requestErrors.route_not_found,
        `No operation has this path. Paths begin with ${prefixes.join(' or ')}.`,
      )
    reply.header('allow', allow.join(', '))
    if (request.method === 'OPTIONS') return reply.status(204).send()
    throw new ApiError(requestErrors.method_not_allowed, `This path takes ${allow.join(', ')}, not ${request.method}.`)
  }
}

/** Returns the methods of this URL, or undefined if no operation has its path. */
function methodsAt(routes: readonly { method: string; pattern: RegExp }[], url: string): string[] | undefined {
  const path = url.split(/[?#]/, 1)[0]?.replace(/\/$/, '') ?? ''
  const methods = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  if (methods.length === 0) return undefined
  return [...new Set<string>(methods.includes('GET') ? [...methods, 'HEAD'] : methods), 'OPTIONS']
}

function patternOf(prefixes: readonly string[], path: string): RegExp {
  return new RegExp(`^(${prefixes.join('|')})${path.replaceAll(/:\w+/g, '[^/]+')}$`)
}
