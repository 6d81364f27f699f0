import type { FastifyRequest } from 'fastify'
import type { Header, ValidatedInput } from '../declare/operation.ts'
import type { PipelineServices } from '../declare/services.ts'
import type { OperationResponse } from './idempotency.ts'

export interface RequestUrls {
  /** Scheme, host and prefix. */
  readonly base: string
  /** Without the prefix and with ids in lower case: the same for all spellings of one resource's path. */
  readonly canonicalPath: string
}

export function urlsOf(
  { path }: Header,
  { publicBaseUrl }: PipelineServices,
  request: FastifyRequest,
  prefix: string,
  { params }: ValidatedInput,
): RequestUrls {
  const origin = publicBaseUrl ?? `${request.protocol}://${request.host}`
  const canonicalPath = path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '')
  return { base: origin + prefix, canonicalPath }
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
