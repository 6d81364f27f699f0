import { isLoopback } from './setting-parsers.ts'

/**
 * Throws if someone could read or change the traffic of a connection to this URL. The error completes "X is invalid:
 * …". Connections that stay on this machine need no encryption.
 */
export function rejectPlainText(text: string): void {
  const url = new URL(text)
  if (isLocal(url)) return
  const rule = rules[url.protocol]
  if (rule && !rule.isMet(url)) throw new Error(`it must be encrypted outside development: ${rule.remedy}`)
}

function isLocal({ hostname, searchParams, protocol }: URL): boolean {
  // PostgreSQL drivers prefer the `host` parameter, which can also be the folder of a Unix socket.
  const host = (protocol.startsWith('postgres') && searchParams.getAll('host').at(-1)) || decodeURIComponent(hostname)
  return host.startsWith('/') || isLoopback(host)
}

interface Rule {
  readonly isMet: (url: URL) => boolean
  readonly remedy: string
}

const never = () => false
const postgres: Rule = {
  isMet: ({ searchParams }) => hasOnly(searchParams, 'sslmode', 'verify-full'),
  remedy: 'append ?sslmode=verify-full, and sslrootcert=… if a private authority signed the certificate',
}
const rules: Readonly<Record<string, Rule>> = {
  'http:': { isMet: never, remedy: 'use https://' },
  'redis:': { isMet: never, remedy: 'use rediss://' },
  'smtp:': {
    isMet: ({ searchParams }) => hasOnly(searchParams, 'requireTLS', 'true') && !searchParams.has('ignoreTLS'),
    remedy: 'use smtps://, or append ?requireTLS=true for STARTTLS',
  },
  'postgres:': postgres,
  'postgresql:': postgres,
}

/** Requires exactly one value: of two, drivers may use either. */
function hasOnly(parameters: URLSearchParams, name: string, value: string): boolean {
  const given = parameters.getAll(name)
  return given.length === 1 && given[0] === value
}
