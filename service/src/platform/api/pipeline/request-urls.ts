import type { FastifyRequest } from 'fastify'
import type { Header, ValidatedInput } from '../declare/operation.ts'
import type { PipelineServices } from '../declare/services.ts'
import { validationFailed } from '../errors/errors.ts'
import type { OperationResponse } from './idempotency.ts'

export interface RequestUrls {
  /** Scheme, host and prefix. */
  readonly base: string
  /** Path without the prefix and with ids in lower case: equal for all spellings of one resource's path. */
  readonly canonicalPath: string
}

export function urlsOf(
  { path }: Header,
  { publicBaseUrl }: PipelineServices,
  request: FastifyRequest,
  prefix: string,
  { params }: ValidatedInput,
): RequestUrls {
  const base = publicBaseUrl ?? `${request.protocol}://${request.host}`
  const canonicalPath = path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '')
  return { base: base + prefix, canonicalPath }
}

/** Returns the scheme and host at which browsers reach this API. */
export function originOf(
  { publicBaseUrl }: Pick<PipelineServices, 'publicBaseUrl'>,
  { protocol, host }: FastifyRequest,
): string {
  if (publicBaseUrl) return new URL(publicBaseUrl).origin
  const origin = `${protocol}://${host}`
  if (URL.canParse(origin)) return origin
  throw validationFailed([{ header: 'Host', detail: 'The header Host must be a host name with an optional port.' }])
}

/** Works on the response's text, so that a replayed response gets the Location of the first one. */
export function withLocation(
  { success }: Header,
  response: OperationResponse,
  { base }: RequestUrls,
): OperationResponse {
  if (success.location && response.status === success.status)
    response.headers['location'] = base + success.location(JSON.parse(response.text))
  return response
}
