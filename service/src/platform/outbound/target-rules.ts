import { isIP } from 'node:net'
import type { Config } from '../base/config.ts'
import { blockList, isPublicAddress } from './public-addresses.ts'

/**
 * Where a request may go whose address somebody else has chosen. Asked twice: about the text when it is saved, and at
 * every connection about the text and the address that its name leads to at that moment.
 */
export class TargetRules {
  readonly #isDevelopment: boolean
  readonly #ports: readonly number[]
  readonly #networks: ReturnType<typeof blockList>[]

  constructor({
    environment,
    webhookPorts,
    webhookNetworks,
  }: Pick<Config, 'environment' | 'webhookPorts' | 'webhookNetworks'>) {
    this.#isDevelopment = environment === 'development'
    this.#ports = webhookPorts
    this.#networks = (webhookNetworks ?? []).map(networkOf)
  }

  /** What is wrong with the text, as the end of a sentence, or undefined. A name is not looked up here. */
  problemOf(text: string): string | undefined {
    const url = URL.parse(text)
    if (!url) return 'must be a URL, such as https://example.com/webhooks'
    if (url.username || url.password) return 'must not hold a user or a password: messages are signed instead'
    if (url.hash) return 'must not have a fragment (#…): it is never sent'
    if (url.protocol !== 'https:' && !(this.#isDevelopment && url.protocol === 'http:'))
      return 'must begin with https://'
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    if (!this.#isDevelopment && !this.#ports.includes(port)) return `must use port ${this.#ports.join(' or ')}`
    const host = hostOf(url)
    if (isIP(host))
      return this.isAllowedAddress(host) ? undefined : 'must lead to a public address, not into a private network'
    if (!this.#isDevelopment && isLocalName(host)) return 'must name a host of the public internet'
    return undefined
  }

  isAllowedAddress(address: string): boolean {
    return (
      this.#isDevelopment ||
      isPublicAddress(address) ||
      this.#networks.some((network) => network.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'))
    )
  }
}

/** As it is connected to: the brackets of IPv6 are only how a URL writes it, and a dot at the end changes no name. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/** Names that public DNS does not have. Only to say so early: what decides is the address, when it is connected to. */
function isLocalName(host: string): boolean {
  return !host.includes('.') || /\.(localhost|local|internal|home\.arpa|intranet|lan|invalid|test)$/.test(host)
}

function networkOf(text: string): ReturnType<typeof blockList> {
  const [address = '', bits] = text.split('/')
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  return blockList(family, [`${address}/${bits ?? (family === 'ipv6' ? 128 : 32)}`])
}
