import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'

/** `__Host-`: browsers accept it only over HTTPS (or from loopback), for this host alone and for all paths. */
const sessionCookieName = '__Host-session'

export function sessionCookieOf(request: FastifyRequest): string | undefined {
  const prefix = `${sessionCookieName}=`
  const pair = request.headers.cookie?.split(';').find((part) => part.trimStart().startsWith(prefix))
  return pair?.trim().slice(prefix.length) || undefined
}

/**
 * Returns the Set-Cookie header that sets or deletes the session. `Strict`: no other site can send a request with it.
 */
export function sessionCookieHeader(secret: string | undefined): string {
  const attributes = 'Path=/; HttpOnly; Secure; SameSite=Strict'
  return `${sessionCookieName}=${secret ?? ''}; ${attributes}${secret === undefined ? '; Max-Age=0' : ''}`
}

/**
 * Throws unless a page of this origin sent the request. Browsers add Sec-Fetch-Site and Origin themselves, and a page
 * of another origin cannot add the header X-Console without a CORS preflight, which this service never allows.
 */
export function requireOwnPage(request: FastifyRequest, ownOrigin: string): void {
  const { 'sec-fetch-site': site, origin, 'x-console': console } = request.headers
  const isSameOrigin = site === undefined ? origin === ownOrigin : site === 'same-origin'
  const isOriginOurs = origin === undefined || origin === ownOrigin
  if (isSameOrigin && isOriginOurs && console === '1') return
  throw new ApiError(
    requestErrors.cross_site_request,
    'A request with a session cookie must come from a page of this origin and have the header X-Console: 1.',
  )
}
