import { lookup, Resolver } from 'node:dns/promises'

/** The addresses of a name, now. */
export type Names = (name: string) => Promise<string[]>

/**
 * By DNS alone, with a bound, and without the thread pool of the process: a name server that does not answer would
 * hold one of its four threads, and four of them would hold everybody. /etc/hosts and search domains do not count.
 */
export function publicNames(servers?: readonly string[]): Names {
  return async (name) => {
    const resolver = new Resolver({ timeout: queryMs, tries: 2 })
    if (servers) resolver.setServers(servers)
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

const queryMs = 2_000

/** As every program of the machine would: for development, where receivers have the names of one's own network. */
export const localNames: Names = async (name) => (await lookup(name, { all: true })).map(({ address }) => address)
