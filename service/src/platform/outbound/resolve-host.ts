import { lookup, Resolver } from 'node:dns/promises'

/** Resolves a host name to its current IP addresses. */
export type ResolveHost = (name: string) => Promise<string[]>

/**
 * Resolves with DNS queries only: no /etc/hosts, no search domains. Has a timeout and does not use libuv's thread pool,
 * where four unresponsive name servers would block all four threads and with them the whole process.
 */
export function dnsResolver(servers?: readonly string[]): ResolveHost {
  return async (name) => {
    const resolver = new Resolver({ timeout: queryMs, tries: 2 })
    if (servers) resolver.setServers(servers)
    const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  }
}

const queryMs = 2_000

/** Resolves like any other program on the machine: for development, where receivers have names in the local network. */
export const systemResolver: ResolveHost = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address)
