import { UsageError } from './errors.ts'
import type { ClientOptions } from './options.ts'

/** Checks `baseUrl` and returns it without a trailing slash, with `/api` if it has no path. */
export function baseUrlOf({ baseUrl, allowHttp }: ClientOptions): string {
  let url: URL
  try {
    url = new URL(baseUrl)
  } catch {
    throw new UsageError('baseUrl must be the URL of the service, such as https://api.example.com.')
  }
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (isLocal || allowHttp)))
    throw new UsageError('baseUrl must begin with https://, or the secret could be intercepted. See allowHttp.')
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new UsageError('baseUrl must not contain a user, password, query or fragment.')
  const path = url.pathname.replace(/\/+$/, '')
  return url.origin + (path === '' ? '/api' : path)
}

/** Fills ids into a path. Checks them, because an empty id would address a different operation. */
export function pathOf(template: string, params: Record<string, string> = {}): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id: unknown = params[name]
    if (typeof id !== 'string' || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
      throw new UsageError(`${name} must be a UUID, as returned by the API.`)
    return id
  })
}

export function queryOf(query: Record<string, string | number | undefined> = {}): string {
  const defined = Object.entries(query).filter(([, value]) => value !== undefined)
  return defined.length === 0
    ? ''
    : `?${defined.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')}`
}

/** Rejects a key that a header cannot contain: `fetch` would throw, and that would look like a network error. */
export function requireKey(key: unknown): void {
  if (typeof key !== 'string' || !/^[!-~]([ -~]{0,126}[!-~])?$/.test(key))
    throw new UsageError('idempotencyKey must be 1 to 128 visible ASCII characters.')
}
