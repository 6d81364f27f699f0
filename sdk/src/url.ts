import { UsageError } from './errors.ts'
import type { ClientOptions } from './options.ts'

/** Without a slash at its end. */
export function baseUrlOf({ baseUrl, allowHttp }: ClientOptions): string {
  let url: URL
  try {
    url = new URL(baseUrl)
  } catch {
    throw new UsageError('baseUrl must be the address of the service, such as https://api.example.com.')
  }
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (isHere || allowHttp)))
    throw new UsageError('baseUrl must begin with https://: the secret could be read on its way. See allowHttp.')
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new UsageError('baseUrl must be an address alone, without user, password, query or fragment.')
  const path = url.pathname.replace(/\/+$/, '')
  return url.origin + (path === '' ? '/api' : path)
}

/** Ids are checked here, because an empty one would be another operation's address. */
export function pathOf(template: string, params: Record<string, string> = {}): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id: unknown = params[name]
    if (typeof id !== 'string' || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
      throw new UsageError(`${name} must be a UUID, as the service gave it to you.`)
    return id
  })
}

export function queryOf(query: Record<string, string | number | undefined> = {}): string {
  const asked = Object.entries(query).filter(([, value]) => value !== undefined)
  return asked.length === 0
    ? ''
    : `?${asked.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')}`
}

/** What a header can carry, so that a key which cannot be sent is not mistaken for a network that fails. */
export function requireKey(key: unknown): void {
  if (typeof key !== 'string' || !/^[!-~]([ -~]{0,126}[!-~])?$/.test(key))
    throw new UsageError('idempotencyKey must be 1 to 128 visible ASCII characters.')
}
