import { type BlockList, isIP } from 'node:net'
import type { Config } from '../base/config.ts'
import { familyOf, networkList } from '../base/network-list.ts'
import { isPublicAddress } from './public-addresses.ts'

/**
 * Decides which of the URLs chosen by tenants the service may call. The text is checked when it is saved, and again for
 * every connection, together with the addresses that its host name resolves to at that time.
 */
export class TargetRules {
  readonly #isDevelopment: boolean
  readonly #ports: readonly number[]
  readonly #networks: BlockList

  constructor({
    environment,
    webhookPorts,
    webhookNetworks,
  }: Pick<Config, 'environment' | 'webhookPorts' | 'webhookNetworks'>) {
    this.#isDevelopment = environment === 'development'
    this.#ports = webhookPorts
    this.#networks = networkList(webhookNetworks ?? [])
  }

  /** Returns the rule that the URL violates, as the end of a sentence, or undefined. Does not resolve host names. */
  problemOf(text: string): string | undefined {
    const url = URL.parse(text)
    if (!url) return 'must be a URL, such as https://example.com/webhooks'
    if (url.username || url.password) return 'must not contain a user or password: messages are signed instead'
    if (url.hash) return 'must not have a fragment (#…): it is never sent'
    if (url.protocol !== 'https:' && !(this.#isDevelopment && url.protocol === 'http:'))
      return 'must start with https://'
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    if (!this.#isDevelopment && !this.#ports.includes(port)) return `must use port ${this.#ports.join(' or ')}`
    const host = hostOf(url)
    if (isIP(host))
      return this.isAllowedAddress(host) ? undefined : 'must have a public address, not one of a private network'
    if (!this.#isDevelopment && isLocalName(host)) return 'must have a public host name'
    return undefined
  }

  isAllowedAddress(address: string): boolean {
    return this.#isDevelopment || isPublicAddress(address) || this.#networks.check(address, familyOf(address))
  }
}

/** Returns the host to connect to, without the brackets of an IPv6 address and without a trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/** Recognizes names that are not in public DNS. Gives an early error; the check of the resolved address is decisive. */
function isLocalName(host: string): boolean {
  return !host.includes('.') || /\.(localhost|local|internal|home\.arpa|intranet|lan|invalid|test)$/.test(host)
}
